"""Where the package's own program is."""

import pathlib

PROGRAM = str(pathlib.Path(__file__).resolve().parent / "_bundle" / "bin" / "offprint")
