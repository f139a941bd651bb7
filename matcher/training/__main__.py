"""`python -m matcher.training FILE`: writes a generated mailbox as a truth file."""

import argparse
from pathlib import Path

from matcher.training.generate import generate
from matcher.training.truth_file import write


def main() -> None:
    wanted = argparse.ArgumentParser(prog="python -m matcher.training", description=__doc__)
    wanted.add_argument("file", type=Path)
    wanted.add_argument("--seed", type=int, default=1)
    wanted.add_argument("--messages", type=int, default=5000)
    wanted.add_argument("--split", choices=("fit", "test"), default="test")
    given = wanted.parse_args()
    write(generate(given.seed, messages=given.messages, split=given.split), given.file)


if __name__ == "__main__":
    main()
