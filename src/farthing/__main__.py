"""What does `python -m farthing` do? The same as `farthing`."""

from .cli.main import main

if __name__ == "__main__":
    main()
