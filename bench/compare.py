#!/usr/bin/env python3
"""Runs the programs of bench/peers in turn and prints one table: every time as a multiple of the limit.

Times of a machine vary by the hour; what counts are ratios within one run. So every program does every work once in
each round, one after the other, and the shortest CPU time of all rounds is taken. A program that fails, takes too long
or is not exact enough is shown as such.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Column:
    title: str
    folder: str
    program: str
    suffix: str = ''  # of the works it does

    @property
    def path(self):
        return ROOT / 'build' / self.folder / 'bench' / ('peer_' + self.program)


LIMIT = Column('limit', 'bench-native', 'hand')
COLUMNS = [
    LIMIT,
    Column('limit, generic', 'bench', 'hand'),
    Column('maggi', 'bench', 'maggi'),
    Column('maggi, native', 'bench-native', 'maggi'),
    Column('maggi, formulas', 'bench', 'maggi', '-formulas'),
    Column('MuJoCo', 'bench', 'mujoco'),
    Column('Simbody', 'bench', 'simbody'),
    Column('DART', 'bench', 'dart'),
    Column('CVODE', 'bench-native', 'sundials', '-cvode'),
    Column('IDA', 'bench-native', 'sundials', '-ida'),
]
MAGGI = next(column for column in COLUMNS if column.program == 'maggi')
MUJOCO = next(column for column in COLUMNS if column.program == 'mujoco')


@dataclass(frozen=True)
class Goal:
    name: str
    title: str
    work: str
    size: int
    per: float  # what the time is divided by
    unit: str  # of the limit in the table
    exact: float  # an error above this is shown
    must: float = 0.0  # 0: nothing is demanded
    stretch: float = 0.0
    limit_work: str = ''  # if the limit does it under another name
    limit: Column = LIMIT


UNITS = {'ns': 1e-9, 'µs': 1e-6, 'ms': 1e-3, 's': 1.0}
GOALS = [
    Goal('G1', 'chain of 16 four-bars, one evaluation, per loop', 'cranks', 16, 16, 'ns', 1e-9, 1.75, 1.2),
    Goal('G1', '64 four-bars, per loop', 'cranks', 64, 64, 'ns', 1e-9, 1.75, 1.2),
    Goal('G1', '16 four-bars, against the planar limit', 'cranks', 16, 16, 'ns', 1e-9, 0, 2, 'cranks-planar'),
    Goal('G2', '1000 four-bars, per loop', 'cranks', 1000, 1000, 'ns', 1e-9, 1.75, 1.2),
    Goal('G3', 'one four-bar', 'cranks', 1, 1, 'ns', 1e-9, 2.1, 1.2),
    Goal('G3', 'one four-bar, against the planar limit', 'cranks', 1, 1, 'ns', 1e-9, 0, 2.5, 'cranks-planar'),
    Goal('G4', 'swing of 16 four-bars to 1e-6 after 10 s', 'swing', 16, 1, 'ms', 1e-6, 5, 2.3),
    Goal('G5', '40 four-bars through their singular poses, 10 s', 'tumbling', 40, 1, 's', 1e-3, 0.4, 0.2, limit=MUJOCO),
    Goal('G6', "Andrews' squeezer to 1e-6 at 0.03 s", 'andrews-run', 0, 1, 'ms', 1e-6, 4.5, 2),
    Goal('G6', 'the same, DOPRI5 as the limit', 'andrews-run', 0, 1, 'ms', 1e-6, limit_work='andrews-run-dopri5'),
    Goal('G7', "Andrews' squeezer, one evaluation", 'andrews', 0, 1, 'ns', 1e-9, 4.2, 2),
    Goal('G8', 'open chain in space, 10 bodies, per body', 'chain', 10, 10, 'ns', 1e-9, 1.6, 1.1),
    Goal('G8', '100 bodies, per body', 'chain', 100, 100, 'ns', 1e-9, 1.6, 1.1),
    Goal('G8', '1000 bodies, per body', 'chain', 1000, 1000, 'ns', 1e-9, 1.6, 1.1),
]


@dataclass
class Measurement:
    status: str = 'missing'  # 'ok', 'failed', 'timeout', 'not built', 'not offered'
    why: str = ''
    seconds: float = float('inf')
    wall: float = 0.0
    facts: dict = field(default_factory=dict)


def work_of(column, goal):
    """The work as the program calls it: andrews-run is andrews-formulas-run if it starts from formulas."""
    work = goal.limit_work if goal.limit_work and column.program == 'hand' else goal.work
    if column.suffix:
        head, *rest = work.split('-')
        work = '-'.join([head + column.suffix, *rest])
    return work


def measure(column, work, size, timeout, before):
    if not column.path.exists():
        return Measurement('not built', 'see the messages of the build')
    command = [str(column.path), work, str(size)]
    environment = {**os.environ, 'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1'}
    began = time.monotonic()
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment, cwd=ROOT / 'build')
    except subprocess.TimeoutExpired:
        return Measurement('timeout', f'not ready after {timeout:g} s')
    wall = time.monotonic() - began
    if ended.returncode == 2:
        return Measurement('not offered')
    if ended.returncode != 0:
        said = ended.stderr.strip().splitlines()
        return Measurement('failed', ' '.join(said)[:200] if said else f'ended with {ended.returncode}', wall=wall)
    facts = {key: float(value) for key, value in (each.split('=') for each in ended.stdout.split())}
    seconds = min(facts.pop('seconds'), before.seconds if before else float('inf'))
    return Measurement('ok', '', seconds, wall, facts)


def measure_all(goals, rounds, timeout):
    """{(column, work, size): Measurement}, the shortest of all rounds."""
    wanted = dict.fromkeys((column, work_of(column, goal), goal.size) for goal in goals for column in COLUMNS)
    results = {}
    for number in range(rounds):
        for key in wanted:
            before = results.get(key)
            # once failed is failed; what takes long is done once
            if before and (before.status != 'ok' or before.wall > 5):
                continue
            if sys.stderr.isatty():
                print(f'\rround {number + 1} of {rounds}: {key[0].title} {key[1]} {key[2]:<20}', end='', file=sys.stderr)
            results[key] = measure(*key, timeout, before)
    if sys.stderr.isatty():
        print('\r' + ' ' * 70, end='\r', file=sys.stderr)
    return results


def number(x):
    """Two or three significant digits and no exponent: 1.32, 2.7, 27, 140 000."""
    if x < 10:
        return f'{x:.2g}' if x < 1 else f'{x:.2f}' if x < 2 else f'{x:.1f}'
    digits = len(str(int(x)))
    return f'{round(x, 2 - digits):,.0f}'.replace(',', ' ')


def cell(result, ratio, exact):
    if result.status == 'not offered':
        return '–'
    if result.status != 'ok':
        return '**' + result.status + '**'
    return number(ratio) + ('' if accurate(result, exact) else f" (error {result.facts['error']:.0e})")


def accurate(result, exact):
    return result.status == 'ok' and result.facts['error'] <= exact


def demand(bound, reached):
    return '–' if not bound else f'{bound:g} ' + ('✓' if reached else '✗')


def table(goals, results):
    titles = [column.title for column in COLUMNS[1:]]
    yield '| | work | limit | ' + ' | '.join(titles) + ' | must | stretch |'
    yield '|---|---|---|' + '---|' * len(titles) + '---|---|'

    def row(name, title, first, cells, bounds, value):
        bounds = [demand(bound, value is not None and value <= bound) for bound in bounds]
        return f'| {name} | {title} | ' + ' | '.join([first, *cells, *bounds]) + ' |'

    for goal in goals:
        of = lambda column: results[column, work_of(column, goal), goal.size]
        limit = of(goal.limit).seconds
        first = f'{number(limit / goal.per / UNITS[goal.unit])} {goal.unit}'
        if goal.limit is not LIMIT:
            first += f' ({goal.limit.title})'
        cells = [cell(of(column), of(column).seconds / limit, goal.exact) for column in COLUMNS[1:]]
        ours = of(MAGGI).seconds / limit if accurate(of(MAGGI), goal.exact) else None
        yield row(goal.name, goal.title, first, cells, (goal.must, goal.stretch), ours)
    for name, title, share, bounds in SHARES:
        shares = [share(column, results) for column in COLUMNS]
        if any(shares):
            shown = [number(each) if each else '–' for each in shares]
            yield row(name, title, shown[0], shown[1:], bounds, shares[COLUMNS.index(MAGGI)])


def growth(column, results):
    """Of the time per loop from 16 to 1000 four-bars."""
    few, many = (results.get((column, 'cranks', size)) for size in (16, 1000))
    if not few or not many or few.status != 'ok' or many.status != 'ok':
        return None
    return (many.seconds / 1000) / (few.seconds / 16)


def overhead(column, results):
    """Of a run of Andrews' squeezer: its time over that of its evaluations alone; CVODE evaluates the limit's code."""
    run = results.get((column, 'andrews' + column.suffix + '-run', 0))
    one = results.get((LIMIT, 'andrews', 0) if column.program == 'sundials' else (column, 'andrews' + column.suffix, 0))
    if not run or not one or run.status != 'ok' or one.status != 'ok' or 'evaluations' not in run.facts:
        return None
    return run.seconds / (run.facts['evaluations'] * one.seconds)


# what is no multiple of the limit: name, title, value of a column, must and stretch
SHARES = [
    ('G2', 'time per loop, 1000 / 16 four-bars', growth, (1.25, 1.25)),
    ('G9', 'whole integration / sum of its evaluations (G6, G7)', overhead, (1.5, 1.2)),
]


def remarks(results):
    """What happened besides, and how it was set."""
    for (column, work, size), result in results.items():
        name = f'{column.title}, {work}' + (f' {size}' if size else '')
        if result.status not in ('ok', 'not offered'):
            yield f'- {name}: {result.status}. {result.why}'
        elif set(result.facts) - {'error'}:
            yield f'- {name}: {result.seconds:.3g} s; ' + ', '.join(f'{key} {value:.3g}' for key, value in result.facts.items())


def said_by(*command):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def machine():
    cpu = next((line.split(':')[1].strip() for line in open('/proc/cpuinfo') if line.startswith('model name')), 'unknown')
    commit = said_by('git', 'rev-parse', '--short', 'HEAD') or 'unknown'
    if said_by('git', 'status', '--porcelain', '--untracked-files=no'):
        commit += ' with changes'
    return {
        'date': time.strftime('%Y-%m-%d'),
        'commit': commit,
        'compiler': (said_by('c++', '--version').splitlines() or ['unknown'])[0],
        'cpu': cpu,
        'cores': os.cpu_count(),
    }


def write_csv(path, results, about):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, 'w', newline='') as file:
        rows = csv.writer(file)
        rows.writerow(['work', 'size', 'program', 'build', 'status', 'seconds', 'error', 'facts', 'why', *about])
        for (column, work, size), result in results.items():
            facts = ' '.join(f'{key}={value:g}' for key, value in result.facts.items() if key != 'error')
            seconds = result.seconds if result.status == 'ok' else ''
            rows.writerow([work, size, column.program, 'native' if column.folder.endswith('native') else 'generic',
                           result.status, seconds, result.facts.get('error', ''), facts, result.why, *about.values()])


def main():
    options = argparse.ArgumentParser(prog='./bench/run', description=__doc__.splitlines()[0])
    options.add_argument('--rounds', type=int, default=5, help='how often everything is measured (5)')
    options.add_argument('--only', nargs='+', metavar='GOAL', help='G1 to G8')
    options.add_argument('--timeout', type=float, default=60, help='seconds for one work of one program (60)')
    options.add_argument('--csv', type=pathlib.Path, default=ROOT / 'build/bench/results.csv')
    options.add_argument('--no-build', action='store_true', help='measure what is there')
    choice = options.parse_args()
    goals = [goal for goal in GOALS if not choice.only or goal.name in choice.only]
    if not goals:
        options.error('no such goal: ' + ' '.join(choice.only))
    about, busy = machine(), os.getloadavg()[0]
    results = measure_all(goals, choice.rounds, choice.timeout)
    write_csv(choice.csv, results, about)
    print(f"{about['date']}, commit {about['commit']}, {about['compiler']}, {about['cores']} × {about['cpu']}, "
          f'{choice.rounds} rounds, load {busy:.1f} before and {os.getloadavg()[0]:.1f} after\n')
    print(*table(goals, results), sep='\n')
    print('\nTimes as multiples of the limit; G2 (growth) and G9 are absolute. ✓ ✗: maggi from bodies, generic. Besides:\n')
    print(*remarks(results), sep='\n')
    print(f'\nAll figures: {choice.csv}')


if __name__ == '__main__':
    main()
