"""`python -m emulators.gmail [--port N] [--seed N]`, with `tests` on the path: prints its address, serves."""

import argparse

from emulators.gmail.server import Gmail

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m emulators.gmail")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    emulator = Gmail(chosen.port, chosen.seed)
    print(emulator.url, flush=True)
    emulator.serve()
