"""Receives uploaded files. First identifies the caller, then stores the file piece by piece in threads."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import structs
from starlette.types import Receive, Scope

from farthing.kernel.errors import FarthingError, Unavailable
from farthing.storage.blobs import PIECE_BYTES, Incoming
from farthing.storage.quotas import Quotas
from farthing.storage.quotas import find as find_quotas

from ..answer import once, problems
from ..answer.reply import NotAdmitted, Reply, close_after, make_reply
from ..body.multipart import FilePart, Multipart
from ..body.stream import BodyStream, too_large
from ..handling.calls import Calls
from ..handling.endpoint import add_key
from ..request.call import Call, Received
from ..request.request import Request, make_request
from ..route import FileUpload, Route
from .unfinished_uploads import Room, UnfinishedUploads

Headers = Mapping[bytes, bytes]
# Runs a function in a thread when it is the user's turn, and passes it a part of the file.
Store = Callable[..., Coroutine[Any, Any, Any]]
STORING_FILES = "storing attachments"


class UploadHandler:
    """Serves one route that takes a file."""

    def __init__(self, calls: Calls, uploads: UnfinishedUploads, route: Route, upload: FileUpload) -> None:
        self._calls = calls
        self._runtime = calls.runtime
        self._uploads = uploads
        self._route = route
        self._upload = upload

    def takes(self, headers: Headers) -> bool:
        """Returns whether the body may contain a file. If not, it is read like the body of any other route."""
        return self._upload.part is None or self._upload.or_whole or _is_multipart(headers)

    async def reply(self, scope: Scope, receive: Receive) -> Reply:
        headers = scope["state"]["headers"]
        request = add_key(_strip_conditions(make_request(scope, headers, receive)), headers)
        stream = BodyStream(headers, receive, self._runtime.patience)
        user_id = None
        try:
            # The caller is checked in a read, so that nothing is locked while the body arrives slowly.
            user_id, quotas = await self._admit(request)
            with self._uploads.admit(user_id, quotas) as room:
                request = await self._receive(request, user_id, headers, stream, room)
            reply = await self._calls.answer(self._route, request)
        except NotAdmitted as error:
            return close_after(error.reply, stream)
        except FarthingError as error:
            if isinstance(error, Unavailable):
                self._runtime.outages.note(STORING_FILES, error)
            refusal = problems.answer_to(error, version=request.api_version)
            return close_after(make_reply(refusal, user_id, request.state), stream)
        self._runtime.outages.note_success(STORING_FILES)
        return reply

    async def _admit(self, request: Request) -> tuple[int, Quotas | None]:
        quotas: Quotas | None = None

        def check(call: Call) -> None:
            nonlocal quotas
            if not self._upload.part:
                self._check(call)
            quotas = find_quotas(call.db, call.user_id)

        user_id = await self._calls.admit(self._route, request, check)
        return user_id, quotas

    async def _receive(
        self, request: Request, user_id: int, headers: Headers, stream: BodyStream, room: Room
    ) -> Request:
        """Stores the file. Returns the request with the file and with the other fields of the body."""
        self._refuse_declared(stream)
        store = partial(self._runtime.threads.store, self._runtime.askers.of(request))
        incoming = await self._runtime.run_in_thread(self._runtime.blobs.receive)
        try:
            fields, has_file = await self._store(incoming, headers, stream, room, store)
            received = await store(self._examine, incoming) if has_file else None
            filled = structs.replace(request, fields=fields, received=received)
            request = add_key(filled, headers, *_parts_of_key(fields, received))
            if self._upload.part:
                await self._calls.admit(self._route, request, self._check)
            if incoming.size:
                await self._calls.reserve(self._route, request, self._reserve)
                await self._runtime.run_in_thread(incoming.keep, user_id)
        finally:
            await self._runtime.run_in_thread(incoming.discard)
        return request

    def _check(self, call: Call) -> None:
        if not once.was_answered(call):
            self._upload.check(call)

    def _reserve(self, call: Call) -> None:
        if not once.was_answered(call):
            self._upload.reserve(call)

    def _refuse_declared(self, stream: BodyStream) -> None:
        settings = self._runtime.settings
        bytes_max = settings.upload_bytes_max + (settings.body_bytes_max if self._upload.part else 0)
        if stream.declared is not None and stream.declared > bytes_max:
            raise too_large(settings.upload_bytes_max)

    async def _store(
        self, incoming: Incoming, headers: Headers, stream: BodyStream, room: Room, store: Store
    ) -> tuple[dict[str, object], bool]:
        """Stores the file of the body. Returns the other fields, and whether the body contains a file at all."""
        if self._upload.part is None or not _is_multipart(headers):
            await self._pour(stream, room, store, self._write_within_limit(incoming))
            return {}, True
        file = FilePart(self._upload.part, self._write_within_limit(incoming))
        form = self._form(headers, file)
        size = await self._pour(stream, room, store, form.write)
        fields = form.fields() if size else {}
        name = self._upload.names
        if name and file.filename and not str(fields.get(name, "")).strip():
            fields[name] = file.filename
        # If no file was chosen, a browser sends an empty part without a file name.
        return fields, bool(incoming.size or file.filename)

    def _form(self, headers: Headers, file: FilePart) -> Multipart:
        settings = self._runtime.settings
        return Multipart(
            headers[b"content-type"].decode("latin-1"),
            fields_max=settings.form_fields_max,
            bytes_max=settings.body_bytes_max,
            file=file,
        )

    def _write_within_limit(self, incoming: Incoming) -> Callable[[bytes | bytearray], None]:
        bytes_max = self._runtime.settings.upload_bytes_max

        def write(piece: bytes | bytearray) -> None:
            if incoming.size + len(piece) > bytes_max:
                raise too_large(bytes_max)
            incoming.write(piece)

        return write

    async def _pour(self, stream: BodyStream, room: Room, store: Store, sink: Callable[[bytearray], None]) -> int:
        """Passes the body to `sink` in batches, and returns the size of the body.

        One batch is written in a thread while the next one arrives, so at most two are in memory.
        """
        size, batch = 0, bytearray()
        writing: asyncio.Future[None] | None = None
        try:
            while (piece := await stream.next()) is not None:
                room.take(len(piece))
                size += len(piece)
                batch += piece
                if len(batch) >= PIECE_BYTES:
                    if writing:
                        await writing
                    writing, batch = asyncio.create_task(store(sink, batch)), bytearray()
        finally:
            if writing:
                await asyncio.wait([writing])
        if writing:
            writing.result()
        if batch:
            await store(sink, batch)
        return size

    def _examine(self, incoming: Incoming) -> Received:
        mime = incoming.look(self._upload.examine) if incoming.size else ""
        return Received(incoming.content(), mime)


def _strip_conditions(request: Request) -> Request:
    """Removes `If-Match` and `If-None-Match`, because they must not apply to the read that checks the caller."""
    return structs.replace(request, if_match=None, if_none_match=None)


def _is_multipart(headers: Headers) -> bool:
    return headers.get(b"content-type", b"").partition(b";")[0].strip().lower() == b"multipart/form-data"


def _parts_of_key(fields: dict[str, object], received: Received | None) -> tuple[bytes, bytes]:
    return msgspec.json.encode(fields), received.content.sha256.encode() if received else b""
