"""The tests of the API that need the app in their own process; by file or by test, with the reason."""

LEFT_OUT: dict[str, str] = {}
