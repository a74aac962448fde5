"""`python -m engine.child ROLE`: a child process started from source."""

import sys

from engine.child.entry import main

if __name__ == "__main__":
    main(sys.argv[1:])
