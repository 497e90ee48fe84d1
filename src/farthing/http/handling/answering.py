"""Runs the handler of a route and adds its ETag, its revision or the answer of an earlier attempt."""

from ..answer import etag, once
from ..answer.headers import NOT_STORED
from ..answer.reply import Reply, make_reply
from ..request.call import Call
from ..request.request import Request
from ..route import Mode, Route


def answer(route: Route, request: Request, call: Call, mode: Mode) -> Reply:
    if not route.is_of_books:
        reply = make_reply(route.handler(call), call.user_id or None)
        reply.headers.append(NOT_STORED)
        return reply
    if mode is Mode.WRITE:
        return _answer_write(route, request, call)
    if route.method == "GET":
        return _answer_get(route, request, call)
    # A POST that only reads gets no ETag: its answer is not what a GET of its address returns.
    return make_reply(route.handler(call), call.user_id)


def _answer_get(route: Route, request: Request, call: Call) -> Reply:
    if route.is_produced:
        return make_reply(route.handler(call), call.user_id)
    varies = route.runs.varies
    tag = etag.of_reading(call, f"{request.target} {varies(call)}" if varies else request.target)
    if_none_match = None if route.is_download else request.if_none_match
    if if_none_match and etag.is_named(tag, if_none_match):
        return _answer_304(call, tag)
    document = route.handler(call)
    if request.query:
        call.days()  # checked after the handler, so that a missing object is 404 first
    reply = _add_tag(make_reply(document, call.user_id), tag)
    # `If-None-Match: *` matches any existing object; a missing one is still 404.
    return _answer_304(call, tag) if if_none_match and if_none_match.strip() == "*" else reply


def _answer_304(call: Call, tag: str) -> Reply:
    return Reply(304, [(b"etag", tag.encode())], b"", call.user_id)


def _answer_write(route: Route, request: Request, call: Call) -> Reply:
    if request.if_match is not None and route.method in ("PUT", "DELETE"):
        etag.refuse_outdated(call, route.path, request.if_match)
    if call.key and route.method == "POST":
        return once.run_once(call, call.key, lambda: _carry_out(route, request, call))
    return _carry_out(route, request, call)


def _carry_out(route: Route, request: Request, call: Call) -> Reply:
    reply = make_reply(route.handler(call), call.user_id)
    assert call.db.author is not None, "a write takes its user first"
    # Lets a client undo a mistake without looking for the change first.
    reply.headers.append((b"farthing-revision", b"%d" % call.db.author.revision))
    # The answer to a POST is not what a GET of its address returns, so its tag must differ.
    target = request.target if route.method == "PUT" else f"{route.method} {request.target}"
    return _add_tag(reply, etag.of_writing(call, route.path, target))


def _add_tag(reply: Reply, tag: str) -> Reply:
    if reply.body:
        reply.headers.append((b"etag", tag.encode()))
    return reply
