#!/usr/bin/env python3
"""What takes the time: one evaluation and one run of Andrews' squeezer, a chain of 40 four-bars, Bricard's mechanism.

Samples of perf with their call stacks, each counted for the first part that fits: of a run from the outside inwards (what
for?), of an evaluation from the inside outwards (doing what?). Needs perf (Debian: linux-perf) and what ./bench/run builds.
"""
import argparse
import collections
import re
import shutil
import subprocess
import sys
import tempfile

from compare import MAGGI

EVALUATION = [
    ('positions, velocities, loops', r'::(motion|carry|positions|velocities|accelerations|position|velocity)\b|Closure|sincos|do_sin|do_cos'),
    ('mass matrix', r'::mass_matrix'),
    ('forces', r'::(inertia_forces|apply_\w+|forces)\b|Spring'),
    ('recursion along the joints', r'[Rr]ecursi|[Aa]rticulated'),
    ('solution for v̇ and λ', r'Augmented|Elimination|::solve\b'),
    ('the rest of the terms', r'System'),
    ('the rest', r''),
]
RUN = [
    ('singular configurations', r'CrossingControl::cross|SingularCrossing'),
    ('projection', r'ConstraintKeeper|Projection'),
    ('rank', r'look_ahead|RankMonitor|decide_rows'),
    ('evaluations', r'Dynamics::(accelerate|solve)'),
    ('integrator and the rest', r''),
]
# what is looked at, its parts, the function in which samples count, and by column: title and command of the program
TABLES = [
    ('one evaluation', EVALUATION, 'Dynamics::accelerate', {
        "Andrews' squeezer": ['andrews', '0', '', '1'],
        '40 four-bars': ['cranks', '40', '', '1'],
        "Bricard's mechanism": ['bricard', '0', '', '1']}),
    ('one run', RUN, 'maggi::integrate', {
        "Andrews' squeezer, dop853 at 1e-6": ['andrews-run', '0', 'dop853', '1e-6'],
        '40 four-bars, singular configurations, dop853 at 3e-7': ['tumbling-run', '40', 'dop853', '3e-7'],
        "Bricard's mechanism, dop853 at 1e-7": ['bricard-run', '0', 'dop853', '1e-7']}),
]


def stacks(command):
    """Every sample as a list of function names, the innermost first; and what the program said."""
    with tempfile.TemporaryDirectory() as folder:
        data = folder + '/samples'
        ended = subprocess.run(['perf', 'record', '-q', '-o', data, '-F', '600', '--call-graph', 'dwarf,8192', *command],
                               capture_output=True, text=True)
        if ended.returncode != 0:
            raise RuntimeError((ended.stderr or ended.stdout).strip().splitlines()[-1])
        listing = subprocess.run(['perf', 'script', '--no-inline', '-i', data, '-F', 'ip,sym'], capture_output=True,
                                 text=True).stdout
    found, stack = [], []
    for line in [*listing.splitlines(), '']:
        if line.strip():
            stack.append(line.split(None, 1)[1] if len(line.split(None, 1)) > 1 else '')
        elif stack:
            found.append(stack)
            stack = []
    return found, ended.stdout.strip().splitlines()[-1]


def part_of(stack, parts, counts):
    """The first part that a function inside the one that counts belongs to; None if that one is not on the stack."""
    outwards = [at for at, name in enumerate(stack) if counts in name]
    if not outwards:
        return None
    inside = stack[:outwards[0]]
    for name in inside if parts is EVALUATION else reversed(inside):
        for title, pattern in parts:
            if pattern and re.search(pattern, name):
                return title
    return parts[-1][0]


def shares(command, parts, counts):
    """{part: %} and the time of one; or why there are none."""
    try:
        found, said = stacks([str(MAGGI.path), *command])
    except RuntimeError as failure:
        print(f'{" ".join(command)}: {failure}', file=sys.stderr)
        return None
    number = collections.Counter(part_of(stack, parts, counts) for stack in found)
    number.pop(None, None)
    seconds = float(dict(each.split('=') for each in said.split())['seconds'])
    return {part: 100 * each / sum(number.values()) for part, each in number.items()}, seconds


def main():
    argparse.ArgumentParser(prog='./bench/run --parts', description=__doc__.splitlines()[0]).parse_args()
    if not shutil.which('perf'):
        sys.exit('perf is missing; this installs it: sudo apt-get install linux-perf')
    for title, parts, counts, columns in TABLES:
        found = [shares(command, parts, counts) for command in columns.values()]
        print(f'| of {title} [%] | ' + ' | '.join(columns) + ' |')
        print('|---|' + '---|' * len(columns))
        for part, _ in parts:
            if any(each and part in each[0] for each in found):
                cells = ['**failed**' if not each else f'{each[0].get(part, 0):.0f}' for each in found]
                print(f'| {part} | ' + ' | '.join(cells) + ' |')
        print('| CPU time | ' + ' | '.join(f'{each[1]:.3g} s' if each else '–' for each in found) + ' |\n')


if __name__ == '__main__':
    main()
