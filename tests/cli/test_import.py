"""Importing on the command line: the same jobs as the API's, done here and now."""

from pathlib import Path

import pytest

from ..moving.firefly.server import TOKEN, Replay, served
