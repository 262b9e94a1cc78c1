#!/usr/bin/env python3
"""Error against CPU time: the problems of the IFToMM library at every setting, by maggi's integrators and by the engines.

Runs the programs that ./bench/run builds, writes build/bench/work_precision.csv and a diagram for each problem into
docs/figures. Ratios within one diagram count.
"""
import argparse
import csv
import math
import pathlib
import sys

from compare import ROOT, MAGGI, MUJOCO, SIMBODY, machine, run_program

# name, title, work, size, has it loops?
PROBLEMS = [
    ('A01', 'A01: simple pendulum, 10 s', 'pendulum', 0, False),
    ('A02', 'A02: two four-bars through singular configurations, 10 s', 'tumbling', 2, True),
    ('A03', "A03: Andrews' squeezer, 0.03 s", 'andrews', 0, True),
    ('A04', "A04: Bricard's mechanism, 10 s", 'bricard', 0, True),
    ('A05', 'A05: flyball governor, 10 s', 'governor', 0, False),
]
# name, program, variant of the work, method; what a program has not is left out
LINES = [
    ('maggi, dopri5', MAGGI, '', 'dopri5'),
    ('maggi, dop853', MAGGI, '', 'dop853'),
    ('maggi, radau5', MAGGI, '', 'radau5'),
    ('maggi, cvode-bdf', MAGGI, '', 'cvode-bdf'),
    ('maggi, formulas', MAGGI, '-formulas', 'dopri5'),
    ('maggi on qr', MAGGI, '', 'dopri5/maggi'),
    ('Simbody', SIMBODY, '', 'rkm'),
    ('Simbody, CPODES', SIMBODY, '', 'cpodes'),
    ('MuJoCo', MUJOCO, '', 'RK4'),
]
# from dark to light, each with its own mark, so that it can be read in grey
LOOKS = {name: look for (name, *_), look in zip(LINES, [
    ('#1b1b3a', 'circle'), ('#c1440e', 'square'), ('#0072b2', 'diamond'), ('#4d8f5b', 'triangle'), ('#7a7a9a', 'circle'),
    ('#a05195', 'square'), ('#d9a21b', 'diamond'), ('#8c6d1f', 'triangle'), ('#999999', 'square')])}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 66, 176, 34, 46


def points(program, work, size, method, timeout):
    """[(CPU time [s], error, setting)], None if the program has not got it."""
    if not program.path.exists():
        return None
    said, _ = run_program([str(program.path), work, str(size), method, 'all'], timeout)
    found = []
    for line in (said or '').splitlines():
        facts = dict(each.split('=') for each in line.split())
        setting = next(float(facts[key]) for key in ('tolerance', 'accuracy', 'step') if key in facts)
        if math.isfinite(float(facts['error'])):
            found.append((float(facts['seconds']), float(facts['error']), setting))
    return found or None


def decades(values):
    logs = [math.log10(value) for value in values]
    return math.floor(min(logs)), max(math.ceil(max(logs)), math.floor(min(logs)) + 1)


def mark(shape, x, y, colour):
    drawn = {'circle': f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2"',
             'square': f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6"',
             'diamond': f'<path d="M{x:.1f} {y - 4:.1f}l4 4 -4 4 -4 -4z"',
             'triangle': f'<path d="M{x:.1f} {y - 4:.1f}l4 7h-8z"'}[shape]
    return f'{drawn} fill="{colour}"/>'


def power(exponent):
    return f'10<tspan dy="-5" font-size="9">{str(exponent).replace("-", "−")}</tspan>'


def diagram(title, curves):
    """curves: {name: [(seconds, error, setting)]} → SVG, both axes in logarithms."""
    floor = 1e-15  # an error of zero cannot be drawn
    (x0, x1) = decades([p[0] for each in curves.values() for p in each])
    (y0, y1) = decades([max(p[1], floor) for each in curves.values() for p in each])
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    px = lambda seconds: LEFT + wide * (math.log10(seconds) - x0) / (x1 - x0)
    py = lambda error: TOP + high * (y1 - math.log10(max(error, floor))) / (y1 - y0)
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{LEFT}" y="20" font-size="14">{title}</text>']
    for k in range(x0, x1 + 1):
        x = px(10**k)
        text.append(f'<path d="M{x:.1f} {TOP}v{high}" stroke="#e4e4e4"/>'
                    f'<text x="{x:.1f}" y="{TOP + high + 18}" text-anchor="middle">{power(k)}</text>')
    for k in range(y0, y1 + 1, max(1, (y1 - y0) // 8)):
        y = py(10**k)
        text.append(f'<path d="M{LEFT} {y:.1f}h{wide}" stroke="#e4e4e4"/>'
                    f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{power(k)}</text>')
    text += [f'<rect x="{LEFT}" y="{TOP}" width="{wide}" height="{high}" fill="none" stroke="#333"/>',
             f'<text x="{LEFT + wide / 2}" y="{HEIGHT - 10}" text-anchor="middle">CPU time [s]</text>',
             f'<text transform="translate(16 {TOP + high / 2}) rotate(-90)" text-anchor="middle">error in the end</text>']
    for row, (name, curve) in enumerate(curves.items()):
        colour, shape = LOOKS[name]
        path = 'L'.join(f'{px(seconds):.1f} {py(error):.1f}' for seconds, error, _ in curve)
        text.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.3"/>')
        text += [mark(shape, px(seconds), py(error), colour) for seconds, error, _ in curve]
        y = TOP + 12 + 20 * row
        text.append(f'<path d="M{WIDTH - RIGHT + 12} {y}h24" stroke="{colour}" stroke-width="1.3"/>'
                    + mark(shape, WIDTH - RIGHT + 24, y, colour)
                    + f'<text x="{WIDTH - RIGHT + 42}" y="{y + 4}">{name}</text>')
    return '\n'.join([*text, '</svg>', ''])


def main():
    options = argparse.ArgumentParser(prog='bench/work_precision.py', description=__doc__.splitlines()[0])
    options.add_argument('--only', nargs='+', metavar='PROBLEM', choices=[name for name, *_ in PROBLEMS])
    options.add_argument('--timeout', type=float, default=120, help='CPU seconds for all settings of one line (120)')
    options.add_argument('--out', type=pathlib.Path, default=ROOT / 'docs/figures')
    options.add_argument('--csv', type=pathlib.Path, default=ROOT / 'build/bench/work_precision.csv')
    choice = options.parse_args()
    about, rows = machine(), []
    choice.out.mkdir(parents=True, exist_ok=True)
    for name, title, work, size, loops in PROBLEMS:
        if choice.only and name not in choice.only:
            continue
        curves = {}
        for line, program, variant, method in LINES:
            if '/' in method and not loops:
                continue  # without constraints all formulations are the same
            curve = points(program, f'{work}{variant}-run', size, method, choice.timeout)
            if curve:
                curves[line] = curve
                rows += [[name, program.program, variant.strip('-'), method, setting, seconds, error, *about.values()]
                         for seconds, error, setting in curve]
            print(f'{name} {line}:', f'{len(curve)} runs' if curve else 'none', file=sys.stderr)
        if curves:
            (choice.out / f'work_precision_{name.lower()}.svg').write_text(diagram(title, curves))
    with open(choice.csv, 'w', newline='') as file:
        csv.writer(file).writerows([['problem', 'program', 'variant', 'method', 'setting', 'seconds', 'error', *about], *rows])
    print(f'{choice.csv}, {choice.out}/work_precision_*.svg')


if __name__ == '__main__':
    main()
