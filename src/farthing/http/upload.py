"""Receives a file: identifies the caller first, then stores it piece by piece, beside the event loop."""

import asyncio
from collections.abc import Callable, Mapping

import msgspec
from msgspec import structs
from starlette.types import Receive, Scope

from farthing.kernel.errors import FarthingError, Unavailable
from farthing.storage.blobs import PIECE_BYTES, Incoming
from farthing.storage.quotas import Quotas
from farthing.storage.quotas import find as find_quotas

from .answer import once, problems
from .answer.reply import Refused, Reply, make_reply
from .answer.unfinished import Room
from .arriving import Body, too_large
from .endpoint import STORING_FILES, Runtime, add_key
from .request.call import Call, Received
from .request.multipart import FilePart, Multipart
from .request.request import Request, make_request
from .route import Route, Upload

Headers = Mapping[bytes, bytes]


class Uploading:
    """One route that takes a file."""

    def __init__(self, runtime: Runtime, route: Route, upload: Upload) -> None:
        self._runtime = runtime
        self._route = route
        self._upload = upload

    def takes(self, headers: Headers) -> bool:
        """A body without the file in a part of its own is read like any other."""
        return self._upload.part is None or self._upload.or_whole or _is_multipart(headers)

    async def reply(self, scope: Scope, receive: Receive) -> Reply:
        headers = scope["state"]["headers"]
        request = add_key(_unconditional(make_request(scope, headers, receive)), headers)
        body = Body(headers, receive, self._runtime.patience)
        user_id = None
        try:
            # Refused in a read: nothing is locked while a body trickles in.
            user_id, quotas = await self._admit(request)
            with self._runtime.unfinished.admit(user_id, quotas) as room:
                request = await self._receive(request, user_id, headers, body, room)
            reply = await self._runtime.answer(self._route, request)
        except Refused as refused:
            return body.finish(refused.reply)
        except FarthingError as error:
            if isinstance(error, Unavailable):
                self._runtime.outages.note(STORING_FILES, error)
            return body.finish(make_reply(problems.answer_to(error), user_id))
        self._runtime.outages.note_success(STORING_FILES)
        return reply

    async def _admit(self, request: Request) -> tuple[int, Quotas | None]:
        found: Quotas | None = None

        def check(call: Call) -> None:
            nonlocal found
            if not self._upload.part:
                self._check(call)
            found = find_quotas(call.db, call.user_id)

        return await self._runtime.admit(self._route, request, check), found

    async def _receive(self, request: Request, user_id: int, headers: Headers, body: Body, room: Room) -> Request:
        """With what has come, which is stored then."""
        self._refuse_declared(body)
        incoming = await self._runtime.run_in_thread(self._runtime.blobs.receive)
        try:
            fields, has_file = await self._store(incoming, headers, body, room)
            received = await self._runtime.run_in_thread(self._examine, incoming) if has_file else None
            filled = structs.replace(request, fields=fields, received=received)
            request = add_key(filled, headers, *_parts_of_key(fields, received))
            if self._upload.part:
                await self._runtime.admit(self._route, request, self._check)
            if incoming.size:
                await self._runtime.reserve(self._route, request, self._reserve)
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

    def _refuse_declared(self, body: Body) -> None:
        settings = self._runtime.settings
        bytes_max = settings.upload_bytes_max + (settings.body_bytes_max if self._upload.part else 0)
        if body.declared is not None and body.declared > bytes_max:
            raise too_large(settings.upload_bytes_max)

    async def _store(
        self, incoming: Incoming, headers: Headers, body: Body, room: Room
    ) -> tuple[dict[str, object], bool]:
        """The fields that came along, and whether there is a file."""
        if self._upload.part is None or not _is_multipart(headers):
            await self._pour(body, room, self._within_limit(incoming))
            return {}, True
        file = FilePart(self._upload.part, self._within_limit(incoming))
        form = self._form(headers, file)
        size = await self._pour(body, room, form.write)
        fields = form.fields() if size else {}
        name = self._upload.names
        if name and file.filename and not str(fields.get(name, "")).strip():
            fields[name] = file.filename
        # A browser sends an empty part without a name where no file was chosen.
        return fields, bool(incoming.size or file.filename)

    def _form(self, headers: Headers, file: FilePart) -> Multipart:
        settings = self._runtime.settings
        return Multipart(
            headers[b"content-type"].decode("latin-1"),
            fields_max=settings.form_fields_max,
            bytes_max=settings.body_bytes_max,
            file=file,
        )

    def _within_limit(self, incoming: Incoming) -> Callable[[bytes | bytearray], None]:
        bytes_max = self._runtime.settings.upload_bytes_max

        def write(piece: bytes | bytearray) -> None:
            if incoming.size + len(piece) > bytes_max:
                raise too_large(bytes_max)
            incoming.write(piece)

        return write

    async def _pour(self, body: Body, room: Room, sink: Callable[[bytearray], None]) -> int:
        """A thread takes one batch while the next one arrives; so at most two are in memory."""
        size, batch = 0, bytearray()
        writing: asyncio.Future[None] | None = None
        try:
            while (part := await body.next()) is not None:
                room.take(len(part))
                size += len(part)
                batch += part
                if len(batch) >= PIECE_BYTES:
                    if writing:
                        await writing
                    writing, batch = self._runtime.run_in_thread(sink, batch), bytearray()
        finally:
            if writing:
                await asyncio.wait([writing])
        if writing:
            writing.result()
        if batch:
            await self._runtime.run_in_thread(sink, batch)
        return size

    def _examine(self, incoming: Incoming) -> Received:
        mime = incoming.look(self._upload.examine) if incoming.size else ""
        return Received(incoming.content(), mime)


def _unconditional(request: Request) -> Request:
    """Without `If-Match` and the like: they are about the answer to the upload, not about the read that admits it."""
    return structs.replace(request, if_match=None, if_none_match=None)


def _is_multipart(headers: Headers) -> bool:
    return headers.get(b"content-type", b"").partition(b";")[0].strip().lower() == b"multipart/form-data"


def _parts_of_key(fields: dict[str, object], received: Received | None) -> tuple[bytes, bytes]:
    return msgspec.json.encode(fields), received.content.sha256.encode() if received else b""
