"""Lives that end at a random moment: killed under load, killed while starting, or ended in order."""
import random
import threading

from crash.generation import Generation
from crash.load import Load

GENERATION = 500   # cycles of one data directory; then a fresh one
CHECK_EVERY = 25   # cycles between two settlements of everything
WORKERS = 6
ENDS = {"kill": 80, "kill at start": 10, "term": 10}  # how many of a hundred lives end so


def cycle(generation, number):
    """One life: loaded for a random while, and ended in one of three ways."""
    rng = random.Random(f"{generation.seed}-{number}")
    how = rng.choices(list(ENDS), ENDS.values())[0]
    moment = rng.uniform(0, 0.15) if how == "kill at start" else rng.uniform(0.02, 0.4)
    gateway = generation.start()
    never = threading.Event()  # what is waited for here is time alone: it is the experiment
    if how == "kill at start":
        never.wait(moment)
        generation.end_life(gateway.kill)
    elif generation.ready(gateway):
        load = Load(generation.clients(gateway), f"{generation.seed}-{number}", WORKERS)
        never.wait(moment)
        generation.end_life(gateway.terminate if how == "term" else gateway.kill)
        load.stop()
    generation.ledger.counts[how] += 1


def run(program, cycles, seed, progress):
    """(counts, violations); stops at the first settlement that shows a violation."""
    counts, done = {}, 0
    while done < cycles:
        generation = Generation(program, f"{seed}-{done}")
        for number in range(min(GENERATION, cycles - done)):
            cycle(generation, number)
            done += 1
            if (number + 1) % CHECK_EVERY == 0 or done == cycles:
                generation.settle()
            progress(done, counts, generation.ledger)
            if generation.ledger.violations:
                break
        generation.end()
        for name, count in generation.ledger.counts.items():
            counts[name] = counts.get(name, 0) + count
        if generation.ledger.violations:
            return counts, generation.ledger.violations
    return counts, []
