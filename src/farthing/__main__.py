"""`python -m farthing` is the same as `farthing`."""

from farthing.cli.main import main

if __name__ == "__main__":
    main()
