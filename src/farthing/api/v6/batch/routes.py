"""Answers importers that announce the end of a series of requests."""

from farthing.http.request.call import NOTHING, Answer, Call
from farthing.http.route import ONLY_READS, Route


def finish(_: Call) -> Answer:
    """Does nothing, because nothing is postponed: rules run with each request."""
    return NOTHING


ROUTES = (Route("POST", "/batch/finish", finish, "Announce the end of a series of requests", runs=ONLY_READS),)
