#!/usr/bin/env python3
"""What threads and lanes bring: a sweep of many short runs, computed in several ways that take turns.

    bench/sweep.py MAGGI [--runs N] [--rounds R] [--until S] [--model FILE] [--over NAME=VALUES ...]

Wall-clock seconds are those that maggi itself prints for the runs: from the first to the last, with their starts, their
measures and the journal; reading the model and writing the tables come on top, in the second column. The least of all
rounds counts. What two cores can bring at most is shown too: two sweeps of half the runs, by processes that share
nothing. On a machine that does other work both ratios say nothing; the CPU time of one thread does.
"""
import argparse
import re
import resource
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODEL, OVER, UNTIL = ROOT / 'models/moving_pendulum.toml', ['m=uniform(1,3)', 'rho=uniform(0.5,1)'], '1'
WAYS = {
    'one at a time, 1 thread': ['--lanes', 'off', '--threads', '1'],
    'one at a time, 2 threads': ['--lanes', 'off', '--threads', '2'],
    'lanes, 1 thread': ['--lanes', 'on', '--threads', '1'],
    'lanes, 2 threads': ['--lanes', 'on', '--threads', '2'],
}
APART = {'one at a time, 2 processes': 'one at a time, 1 thread', 'lanes, 2 processes': 'lanes, 1 thread'}


@dataclass
class Seconds:
    """The least of several sweeps."""
    runs: float = float('inf')  # of the runs alone, by the clock
    whole: float = float('inf')  # of the whole command, by the clock
    cpu: float = float('inf')  # of the whole command

    def least(self, other):
        return Seconds(*(min(pair) for pair in zip(vars(self).values(), vars(other).values())))


def one_sweep(maggi, way, folder, model=MODEL, over=OVER, until=UNTIL, runs=10000):
    command = [maggi, 'sweep', model, *(word for text in over for word in ('--over', text)), '--runs', str(runs),
               '--until', until, '--out', folder, '--restart', *WAYS[way]]
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    cpu, began = used(), time.monotonic()
    said = subprocess.run([str(word) for word in command], capture_output=True, encoding='utf-8', check=True).stdout
    return Seconds(float(re.search(r'threads?, ([\d.e+-]+) s', said)[1]), time.monotonic() - began, used() - cpu)


def two_sweeps(maggi, way, folder, runs=10000, **options):
    """At the same time, each in its own process with half the runs."""
    with ThreadPoolExecutor() as pool:
        halves = [pool.submit(one_sweep, maggi, way, f'{folder}/{i}', runs=runs // 2, **options) for i in range(2)]
        return Seconds(*(max(pair) for pair in zip(*(vars(half.result()).values() for half in halves))))


def measure(maggi, rounds=6, **options):
    """{way: Seconds}."""
    least = {way: Seconds() for way in [*WAYS, *APART]}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for way in least:
                found = two_sweeps(maggi, APART[way], folder, **options) if way in APART else one_sweep(maggi, way, folder, **options)
                least[way] = least[way].least(found)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('maggi')
    parser.add_argument('--runs', type=int, default=10000)
    parser.add_argument('--rounds', type=int, default=6)
    parser.add_argument('--until', default=UNTIL, help='how long each run is [s]')
    parser.add_argument('--model', default=MODEL)
    parser.add_argument('--over', nargs='+', default=OVER, help='what is drawn')
    choice = parser.parse_args()
    least = measure(choice.maggi, choice.rounds, model=choice.model, over=choice.over, until=choice.until, runs=choice.runs)
    base = least['one at a time, 1 thread']
    print(f'{choice.runs} runs of {Path(choice.model).name}, {choice.until} s each')
    print(f"  {'':26} {'runs':>10} {'a run':>10} {'':8} {'whole':>10} {'CPU':>10}")
    for way, time_ in least.items():
        print(f'  {way:26} {time_.runs:8.3f} s {1e6 * time_.runs / choice.runs:7.1f} µs {base.runs / time_.runs:6.2f} × '
              f'{time_.whole:8.3f} s {time_.cpu:8.3f} s')


if __name__ == '__main__':
    main()
