"""The program `jobtrail`. Its first act is to make sure that the packages it is about to load are its own."""

import sys

from backend.names import foreign_name


def main() -> int:
    if sentence := foreign_name():
        sys.stderr.write(f"jobtrail: {sentence}\n")
        return 1
    from backend.cli.run import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
