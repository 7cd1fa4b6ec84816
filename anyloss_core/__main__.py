"""python -m anyloss_core: the command line; each command lives in a module of `cli`."""

import sys

from anyloss_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
