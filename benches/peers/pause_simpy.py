#!/usr/bin/env python3
"""The GC pause (preset 09, unfenced) as a SimPy model, for one number: runs a second.

The same story as `static/presets/gc-pause.toml` under the design "No fencing": two workers, a lock key with a TTL of 10 s, a
resource with a version, 5 ms one way, a retry every 200 ms after a refusal. W1 is paused from 0.5 s to 15 s. Every message and
every wait is an event of the simulation, as in Fencepost; nothing is logged.

    pip install simpy && python3 benches/peers/pause_simpy.py [RUNS]
"""
import sys
import time

import simpy

ONE_WAY, RETRY, TTL, WORK = 5, 200, 10_000, 1_000


class Lock:
    def __init__(self, env):
        self.env, self.owner, self.until = env, None, 0

    def acquire(self, owner):
        if self.owner is not None and self.env.now < self.until:
            return False
        self.owner, self.until = owner, self.env.now + TTL
        return True

    def release(self, owner):
        if self.owner == owner:
            self.owner = None


class Resource:
    def __init__(self):
        self.version, self.writes = 0, []


def worker(env, name, start, lock, resource, paused):
    def awake():
        """What falls due in the pause is handled when it ends."""
        if paused and paused[0] <= env.now < paused[1]:
            yield env.timeout(paused[1] - env.now)

    if start:
        yield env.timeout(start)
    while True:
        yield env.timeout(ONE_WAY)
        granted = lock.acquire(name)
        yield env.timeout(ONE_WAY)
        if granted:
            break
        yield env.timeout(RETRY)
    yield env.timeout(ONE_WAY)
    base = resource.version
    yield env.timeout(ONE_WAY)
    yield env.timeout(WORK)
    yield from awake()
    yield env.timeout(ONE_WAY)
    resource.writes.append((env.now, name, base))
    resource.version += 1
    yield env.timeout(ONE_WAY)
    yield env.timeout(ONE_WAY)
    lock.release(name)
    yield env.timeout(ONE_WAY)


def run():
    env = simpy.Environment()
    lock, resource = Lock(env), Resource()
    env.process(worker(env, "W1", 0, lock, resource, (500, 15_000)))
    env.process(worker(env, "W2", 2_000, lock, resource, None))
    env.run(until=60_000)
    return resource.writes


if __name__ == "__main__":
    assert run() == [(11_215, "W2", 0), (15_005, "W1", 0)], run()
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    # The best of many short windows, as in benches/simulate.rs.
    window, best = 10, float("inf")
    for _ in range(max(1, runs // window)):
        start = time.perf_counter()
        for _ in range(window):
            run()
        best = min(best, time.perf_counter() - start)
    print(f"simpy {window / best:.0f} runs/s in the best window")
