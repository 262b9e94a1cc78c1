#!/usr/bin/env python3
"""Runs the programs of bench/peers in turn and prints one table: every time as a multiple of the limit.

Times of a machine vary by the hour; what counts are ratios within one run. So every program does every work once in
each round, one after the other, and the shortest CPU time of all rounds is taken. A program that fails, takes too long
or is not exact enough is shown as such.
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field

import sweep as sweep_bench

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEMORY = 8 << 30  # bytes that one program may use


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
SIMBODY = next(column for column in COLUMNS if column.program == 'simbody')


@dataclass(frozen=True)
class Task:
    """What one program is asked to do."""
    column: Column
    work: str
    size: int = 0
    method: str = ''  # an integrator of the program; '': its own choice
    setting: str = ''  # its tolerance or step; '': the cheapest that is exact enough

    @property
    def command(self):
        given = [self.method, self.setting] if self.setting else [self.method] if self.method else []
        return [str(self.column.path), self.work, str(self.size), *given]

    @property
    def name(self):
        return ', '.join(each for each in (self.column.title, self.work, self.method, self.setting) if each) + (
            f' {self.size}' if self.size else '')


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
    methods: tuple = ()  # (program, method): with which integrators, where it is not their own choice

    def task(self, column):
        """The work as the program calls it: andrews-run is andrews-formulas-run if it starts from formulas."""
        work = self.limit_work if self.limit_work and column.program == 'hand' else self.work
        if column.suffix:
            head, *rest = work.split('-')
            work = '-'.join([head + column.suffix, *rest])
        return Task(column, work, self.size, dict(self.methods).get(column.program, ''))


EXPLICIT, IMPLICIT = 'dop853', 'radau5'  # what maggi offers: for precise runs, for stiff systems
PRECISE = (('maggi', EXPLICIT),)
UNITS = {'ns': 1e-9, 'µs': 1e-6, 'ms': 1e-3, 's': 1.0}
GOALS = [
    Goal('G1', 'chain of 16 four-bars, one evaluation, per loop', 'cranks', 16, 16, 'ns', 1e-9, 1.75, 1.2),
    Goal('G1', '64 four-bars, per loop', 'cranks', 64, 64, 'ns', 1e-9, 1.75, 1.2),
    Goal('G1', '16 four-bars, against the planar limit', 'cranks', 16, 16, 'ns', 1e-9, 0, 2, 'cranks-planar'),
    Goal('G2', '1000 four-bars, per loop', 'cranks', 1000, 1000, 'ns', 1e-9, 1.75, 1.2),
    Goal('G2', '10 000 four-bars, per loop', 'cranks', 10_000, 10_000, 'ns', 1e-9, 1.75, 1.2),
    Goal('G3', 'one four-bar', 'cranks', 1, 1, 'ns', 1e-9, 2.1, 1.2),
    Goal('G3', 'one four-bar, against the planar limit', 'cranks', 1, 1, 'ns', 1e-9, 0, 2.5, 'cranks-planar'),
    Goal('G4', 'swing of 16 four-bars to 1e-6 after 10 s', 'swing-run', 16, 1, 'ms', 1e-6, 5, 2.3, methods=PRECISE),
    Goal('G5', '40 four-bars through singular configurations, 10 s', 'tumbling-run', 40, 1, 's', 1e-3, 0.4, 0.2, limit=MUJOCO,
         methods=(('maggi', 'dopri5'),)),
    Goal('G6', "Andrews' squeezer to 1e-6 at 0.03 s", 'andrews-run', 0, 1, 'ms', 1e-6, 4.5, 2, methods=PRECISE),
    Goal('G6', 'the same, DOPRI5 as the limit', 'andrews-run', 0, 1, 'ms', 1e-6, limit_work='andrews-run-dopri5',
         methods=(('maggi', 'dopri5'),)),
    Goal('G7', "Andrews' squeezer, one evaluation", 'andrews', 0, 1, 'ns', 1e-9, 4.2, 2),
    Goal('G8', 'open chain in space, 10 bodies, per body', 'chain', 10, 10, 'ns', 1e-9, 1.6, 1.1),
    Goal('G8', '100 bodies, per body', 'chain', 100, 100, 'ns', 1e-9, 1.6, 1.1),
    Goal('G8', '1000 bodies, per body', 'chain', 1000, 1000, 'ns', 1e-9, 1.6, 1.1),
    Goal('A05', 'flyball governor (stiff) to 1e-6 after 10 s', 'governor-run', 0, 1, 'ms', 1e-6, 1, limit=SIMBODY,
         methods=(('maggi', IMPLICIT), ('simbody', 'cpodes'))),
]


@dataclass
class Measurement:
    status: str = 'missing'  # 'ok', 'failed', 'timeout', 'not built', 'not offered'
    why: str = ''
    seconds: float = float('inf')
    wall: float = 0.0
    facts: dict = field(default_factory=dict)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def cpu_seconds(pid):
    with open(f'/proc/{pid}/stat') as file:
        fields = file.read().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def run_program(command, timeout):
    """What it said, and the wall time; or why there is nothing to say. `timeout` in seconds of CPU, by looking: a limit
    set by the kernel (RLIMIT_CPU) would make the program's own clock as coarse as its ticks."""
    environment = {**os.environ, 'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1'}
    began = time.monotonic()
    try:
        program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                                   cwd=ROOT / 'build', preexec_fn=limit_memory)
    except OSError as failure:
        return None, Measurement('failed', str(failure))
    said = None
    while said is None:
        try:
            said, complaint = program.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            if cpu_seconds(program.pid) > timeout:
                program.kill()
                program.communicate()
                return None, Measurement('timeout', f'not ready after {timeout:g} s')
    wall = time.monotonic() - began
    if program.returncode == 2:
        return None, Measurement('not offered')
    if program.returncode != 0:
        why = ' '.join(complaint.split())[:200] or f'ended with {program.returncode}'
        return None, Measurement('failed', why, wall=wall)
    return said, Measurement('ok', wall=wall)


def measure(task, timeout, before):
    if not task.column.path.exists():
        return Measurement('not built', 'see the messages of the build')
    said, result = run_program(task.command, timeout)
    if said is not None:
        result.facts = {key: float(value) for key, value in (each.split('=') for each in said.split())}
        result.seconds = min(result.facts.pop('seconds'), before.seconds if before else float('inf'))
    return result


def measure_all(tasks, rounds, timeout):
    """{task: Measurement}, the shortest of all rounds."""
    results = {}
    for number in range(rounds):
        for task in tasks:
            before = results.get(task)
            # once failed is failed; what takes long is done once
            if before and (before.status != 'ok' or before.wall > 5):
                continue
            if sys.stderr.isatty():
                print(f'\rround {number + 1} of {rounds}: {task.name:<50}', end='', file=sys.stderr)
            results[task] = measure(task, timeout, before)
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
    if ratio is None:
        return 'no limit'
    return number(ratio) + ('' if accurate(result, exact) else f" (error {result.facts['error']:.0e})")


def accurate(result, exact):
    return result.status == 'ok' and result.facts['error'] <= exact


def demand(bound, reached, sign=''):
    return '–' if not bound else f'{sign}{bound:g} ' + ('✓' if reached else '✗')


def table(goals, results):
    titles = [column.title for column in COLUMNS[1:]]
    yield '| | work | limit | ' + ' | '.join(titles) + ' | must | stretch |'
    yield '|---|---|---|' + '---|' * len(titles) + '---|---|'

    def row(name, title, first, cells, bounds, value):
        bounds = [demand(bound, value is not None and value <= bound) for bound in bounds]
        return f'| {name} | {title} | ' + ' | '.join([first, *cells, *bounds]) + ' |'

    for goal in goals:
        of = lambda column: results[goal.task(column)]
        limit = of(goal.limit).seconds
        first = f'{number(limit / goal.per / UNITS[goal.unit])} {goal.unit}' if limit < float('inf') else '–'
        if goal.limit is not LIMIT:
            first += f' ({goal.limit.title})'
        multiple = lambda column: of(column).seconds / limit if limit < float('inf') else None
        cells = [cell(of(column), multiple(column), goal.exact) for column in COLUMNS[1:]]
        ours = multiple(MAGGI) if accurate(of(MAGGI), goal.exact) else None
        yield row(goal.name, goal.title, first, cells, (goal.must, goal.stretch), ours)


def growth(size):
    """Of the time per loop from 16 four-bars to `size`."""
    def share(column, results):
        few, many = (results.get(Task(column, 'cranks', each)) for each in (16, size))
        if not few or not many or few.status != 'ok' or many.status != 'ok':
            return None
        return (many.seconds / size) / (few.seconds / 16)
    return share


def overhead(column, results):
    """Of a run of Andrews' squeezer: its time over that of its evaluations alone; CVODE evaluates the limit's code."""
    run = results.get(Task(column, 'andrews' + column.suffix + '-run', method=dict(PRECISE).get(column.program, '')))
    one = results.get(Task(LIMIT, 'andrews') if column.program == 'sundials' else Task(column, 'andrews' + column.suffix))
    if not run or not one or run.status != 'ok' or one.status != 'ok' or 'evaluations' not in run.facts:
        return None
    return run.seconds / (run.facts['evaluations'] * one.seconds)


def ratio(upper, lower, of=lambda result: result.seconds):
    """Of two works of one column."""
    def share(column, results):
        pair = [results.get(Task(column, *work)) for work in (upper, lower)]
        return of(pair[0]) / of(pair[1]) if all(each and each.status == 'ok' for each in pair) else None
    return share


@dataclass(frozen=True)
class Share:
    """What is no multiple of the limit. Measured with the goals of its name, or by tasks of its own."""
    name: str
    title: str
    value: object  # (column, results) → number or None
    must: float
    stretch: float = 0.0
    least: bool = False  # are must and stretch the least demanded?
    works: tuple = ()  # (work, size, method, setting) of maggi, besides the goals


BRICARD = [('bricard', 0), ('bricard-cylindrical', 0)]
BRICARD_RUN = [('bricard-run', 0, 'dopri5', '1e-8'), ('bricard-cylindrical-run', 0, 'dopri5', '1e-8')]
GOVERNOR = [('governor-run', 0, 'dopri5'), ('governor-run', 0, IMPLICIT)]
SHARES = [
    Share('G2', 'time per loop, 1000 / 16 four-bars', growth(1000), 1.25, 1.25),
    Share('G2', 'time per loop, 10 000 / 16 four-bars', growth(10_000), 1.25, 1.25),
    Share('G9', 'whole integration / sum of its evaluations (G6, G7)', overhead, 1.5, 1.2),
    Share('A04', "Bricard's mechanism, redundant / full rank, one evaluation", ratio(*BRICARD), 1.1, works=tuple(BRICARD)),
    Share('A04', 'the same, whole run of 10 s at a tolerance of 1e-8', ratio(*BRICARD_RUN), 1.1, works=tuple(BRICARD_RUN)),
    Share('A05', f'steps to 1e-6, dopri5 / {IMPLICIT}', ratio(*GOVERNOR, of=lambda result: result.facts['steps']), 20,
          least=True, works=tuple(GOVERNOR)),
]


def share_table(shares, results):
    """Only columns in which something stands."""
    columns = [column for column in COLUMNS if any(share.value(column, results) for share in shares)]
    yield '| | ratio | ' + ' | '.join(column.title for column in columns) + ' | must | stretch |'
    yield '|---|---|' + '---|' * len(columns) + '---|---|'
    for share in shares:
        value = {column: share.value(column, results) for column in COLUMNS}
        ours = value[MAGGI]
        reached = lambda bound: ours is not None and (ours >= bound if share.least else ours <= bound)
        cells = [number(value[column]) if value[column] else '–' for column in columns]
        bounds = [demand(bound, reached(bound), '≥ ' if share.least else '') for bound in (share.must, share.stretch)]
        yield f'| {share.name} | {share.title} | ' + ' | '.join([*cells, *bounds]) + ' |'


def table_of_ratios(rows):
    """(title, value or why there is none, bound or None, is it the least demanded?)."""
    yield '| | ratio | must |'
    yield '|---|---|---|'
    for title, value, bound, least in rows:
        measured = isinstance(value, float)
        shown = number(value) if measured else f'**{value}**'
        reached = measured and bound is not None and (value >= bound if least else value <= bound)
        yield f"| {title} | {shown} | {'' if bound is None else demand(bound, reached, '≥ ' if least else '≤ ')} |"


def formulas(timeout):
    """Andrews' squeezer from formulas against the same by hand, by bench/micro/andrews.cpp."""
    program, out = ROOT / 'build/bench/bench/bench_andrews', ROOT / 'build/bench/bench_andrews.json'
    why, shortest = 'not built', {}
    if program.exists():
        # many short repetitions that take turns: the shortest of them is undisturbed, and all take a few seconds
        said, result = run_program([str(program), '--benchmark_filter=terms|motion', '--benchmark_repetitions=15',
                                    '--benchmark_min_time=0.02', '--benchmark_enable_random_interleaving=true',
                                    f'--benchmark_out={out}', '--benchmark_out_format=json'], timeout)
        why = result.status if said is None else 'not offered'
        for each in json.loads(out.read_text())['benchmarks'] if said is not None else []:
            if each['run_type'] == 'iteration':
                shortest[each['name']] = min(each['cpu_time'], shortest.get(each['name'], float('inf')))
    of = lambda upper, lower: shortest[upper] / shortest[lower] if upper in shortest and lower in shortest else why
    yield from table_of_ratios([
        ("terms of Andrews' squeezer, tape / hand-written", of('maggi_terms', 'hand_terms'), 3, False),
        ('compiled formulas / hand-written', of('compiled_terms', 'hand_terms'), 1.2, False),
        ('eight lanes, per state / hand-written', of('lane_terms', 'hand_terms'), 0.6, False),
        ('motions, one at a time / in eight lanes', of('one_motion', 'lane_motions'), 2, True)])


def sweep(timeout):
    """10 000 short runs by bench/sweep.py: what threads and lanes bring."""
    program, found, why = ROOT / 'build/bench/apps/maggi/maggi', {}, 'not built'
    if program.exists():
        try:
            found = sweep_bench.measure(program)
        except (subprocess.CalledProcessError, OSError):
            why = 'failed'
    of = lambda upper, lower: found[upper].runs / found[lower].runs if found else why
    yield from table_of_ratios([
        ('sweep of 10 000 runs of 1 s in lanes, one thread / two', of('lanes, 1 thread', 'lanes, 2 threads'), 1.8, True),
        ('two processes that share nothing, instead of two threads', of('lanes, 1 thread', 'lanes, 2 processes'), None, True),
        ('one state at a time, one thread / two', of('one at a time, 1 thread', 'one at a time, 2 threads'), 1.8, True),
        ('two processes that share nothing, instead of two threads',
         of('one at a time, 1 thread', 'one at a time, 2 processes'), None, True),
        ('one state at a time / in lanes, one thread', of('one at a time, 1 thread', 'lanes, 1 thread'), 2, True)])


OTHERS = {'formulas': formulas, 'sweep': sweep}


def failures(results):
    """Program by program, those with the same reason together."""
    reasons = {}
    for task, result in results.items():
        if result.status not in ('ok', 'not offered'):
            reasons.setdefault((task.column.title, result.status, result.why), []).append(
                task.work + (f' {task.size}' if task.size else ''))
    for (title, status, why), works in reasons.items():
        yield f"- {title}: {status} ({', '.join(dict.fromkeys(works))}). {why}"


def remarks(results):
    for task, result in results.items():
        if result.status == 'ok' and set(result.facts) - {'error'}:
            yield (f'- {task.name}: {result.seconds:.3g} s; '
                   + ', '.join(f'{key} {value:.3g}' for key, value in result.facts.items()))


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
        rows.writerow(['work', 'size', 'program', 'method', 'build', 'status', 'seconds', 'error', 'facts', 'why', *about])
        for task, result in results.items():
            facts = ' '.join(f'{key}={value:g}' for key, value in result.facts.items() if key != 'error')
            seconds = result.seconds if result.status == 'ok' else ''
            rows.writerow([task.work, task.size, task.column.program, task.method,
                           'native' if task.column.folder.endswith('native') else 'generic',
                           result.status, seconds, result.facts.get('error', ''), facts, result.why, *about.values()])


BEGIN, END = '<!-- measured by ./bench/run --write -->', '<!-- end of what was measured -->'


def write_into(path, text):
    """Replaces what stands between the marks."""
    page = path.read_text()
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        sys.exit(f'{path}: the marks "{BEGIN}" and "{END}" are missing')
    before, _, rest = page.partition(BEGIN)
    path.write_text(before + BEGIN + '\n' + text + '\n' + END + rest.partition(END)[2])


def main():
    options = argparse.ArgumentParser(prog='./bench/run', description=__doc__.splitlines()[0])
    options.add_argument('--rounds', type=int, default=5, help='how often everything is measured (5)')
    options.add_argument('--only', nargs='+', metavar='GOAL', help='G1 to G9, A04, A05, formulas, sweep')
    options.add_argument('--timeout', type=float, default=60, help='CPU seconds for one work of one program (60)')
    options.add_argument('--csv', type=pathlib.Path, default=ROOT / 'build/bench/results.csv')
    options.add_argument('--no-build', action='store_true', help='measure what is there')
    options.add_argument('--write', action='store_true', help='put the tables into docs/performance.md')
    choice = options.parse_args()
    known = {each.name for each in (*GOALS, *SHARES)} | set(OTHERS)
    if unknown := set(choice.only or []) - known:
        options.error('no such goal: ' + ' '.join(sorted(unknown)) + ' (known: ' + ' '.join(sorted(known)) + ')')
    wanted = lambda name: not choice.only or name in choice.only
    goals = [goal for goal in GOALS if wanted(goal.name)]
    shares = [share for share in SHARES if wanted(share.name)]
    tasks = [goal.task(column) for goal in goals for column in COLUMNS]
    tasks += [Task(MAGGI, *work) for share in shares for work in share.works]
    about, busy = machine(), os.getloadavg()[0]
    results = measure_all(dict.fromkeys(tasks), choice.rounds, choice.timeout)
    write_csv(choice.csv, results, about)
    text = [f"{about['date']}, commit {about['commit']}, {about['compiler']}, {about['cores']} × {about['cpu']}, "
            f'{choice.rounds} rounds, load {busy:.1f} before and {os.getloadavg()[0]:.1f} after.', '']
    if goals:
        text += [*table(goals, results), '']
    if shares:
        text += [*share_table(shares, results), '']
    for name, measured in OTHERS.items():
        if wanted(name):
            text += [*measured(choice.timeout), '']
    text += ['What failed:', '', *failures(results)]
    print(*text, sep='\n')
    print('\nTimes as multiples of the limit. ✓ ✗: maggi from bodies, generic. How it was set:\n')
    print(*remarks(results), sep='\n')
    print(f'\nAll figures: {choice.csv}')
    if choice.write:
        write_into(ROOT / 'docs/performance.md', '\n'.join(text))


if __name__ == '__main__':
    main()
