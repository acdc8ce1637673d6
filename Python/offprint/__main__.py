"""The command line: ``python -m offprint render page.html -o page.png``."""

import os
import sys

from ._bundle_path import PROGRAM


def main() -> None:
    os.execv(PROGRAM, [PROGRAM, *sys.argv[1:]])


if __name__ == "__main__":
    main()
