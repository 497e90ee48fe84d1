"""How does a file come in? The caller is known first; then it goes to disk piece by piece, beside the event loop."""

import asyncio
from collections.abc import Callable, Mapping

import msgspec
from msgspec import structs
from starlette.types import Receive, Scope

from ..errors import FarthingError, Unavailable
from ..storage.blobs import PIECE_BYTES, Incoming
from . import once, problems
from .arriving import Body, too_large
from .call import NOTHING, Answer, Call, Received
from .endpoint import FILES, Kernel, Request, keyed, request_of
from .multipart import FilePart, Multipart
from .reply import Reply, encoded
from .route import Route, Upload

Headers = Mapping[bytes, bytes]


class Uploading:
    """One route that takes a file."""

    def __init__(self, kernel: Kernel, route: Route, upload: Upload) -> None:
        self._kernel = kernel
        self._route = route
        self._upload = upload
        # Refusals come from units of work that only read: nothing is locked while a body trickles in.
        self._gate = Route("GET", route.path, self._admits, route.summary, heavy=route.heavy, gate_of=route)
        self._door = Route("GET", route.path, _anyone, route.summary, gate_of=route)

    def takes(self, headers: Headers) -> bool:
        """A body without the file in a part of its own is read like any other."""
        media_type = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        return self._upload.part is None or media_type == b"multipart/form-data"

    async def reply(self, scope: Scope, receive: Receive) -> Reply:
        headers = scope["state"]["headers"]
        request = keyed(_unconditional(request_of(scope, headers, {})), headers)
        body = Body(headers, receive, self._kernel.patience)
        admitted = await self._kernel.perform(self._door if self._upload.part else self._gate, request)
        if admitted.user_id is None:
            return await body.answered(admitted)
        try:
            reply = await self._received(request, admitted.user_id, headers, body)
        except FarthingError as error:
            if isinstance(error, Unavailable):
                self._kernel.outages.note(FILES, error)
            return await body.answered(encoded(problems.answer_to(error), admitted.user_id))
        self._kernel.outages.passed(FILES)
        return reply

    async def _received(self, request: Request, user_id: int, headers: Headers, body: Body) -> Reply:
        self._refuse_declared(body)
        incoming = await self._kernel.aside(self._kernel.blobs.receive)
        try:
            fields, has_file = await self._poured(incoming, headers, body)
            received = await self._kernel.aside(self._examined, incoming) if has_file else None
            filled = structs.replace(request, fields=fields, received=received)
            request = keyed(filled, headers, *_sent(fields, received))
            if self._upload.part:
                refusal = await self._kernel.perform(self._gate, request)
                if refusal.user_id is None:
                    return refusal
            if incoming.size:
                await self._kernel.aside(incoming.keep, user_id)
        finally:
            await self._kernel.aside(incoming.discard)
        return await self._kernel.perform(self._route, request)

    def _admits(self, call: Call) -> Answer:
        return NOTHING if once.was_answered(call) else self._upload.admits(call)

    def _refuse_declared(self, body: Body) -> None:
        settings = self._kernel.settings
        bytes_max = settings.upload_bytes_max + (settings.body_bytes_max if self._upload.part else 0)
        if body.declared is not None and body.declared > bytes_max:
            raise too_large(settings.upload_bytes_max)

    async def _poured(self, incoming: Incoming, headers: Headers, body: Body) -> tuple[dict[str, object], bool]:
        """The fields that came along, and whether there is a file."""
        if self._upload.part is None:
            await self._pour(body, self._within_limit(incoming))
            return {}, True
        file = FilePart(self._upload.part, self._within_limit(incoming))
        form = self._form(headers, file)
        size = await self._pour(body, form.write)
        fields = form.fields() if size else {}
        name = self._upload.names
        if name and file.filename and not str(fields.get(name, "")).strip():
            fields[name] = file.filename
        # A browser sends an empty part without a name where no file was chosen.
        return fields, bool(incoming.size or file.filename)

    def _form(self, headers: Headers, file: FilePart) -> Multipart:
        settings = self._kernel.settings
        return Multipart(
            headers[b"content-type"].decode("latin-1"),
            fields_max=settings.form_fields_max,
            bytes_max=settings.body_bytes_max,
            file=file,
        )

    def _within_limit(self, incoming: Incoming) -> Callable[[bytes | bytearray], None]:
        bytes_max = self._kernel.settings.upload_bytes_max

        def write(piece: bytes | bytearray) -> None:
            if incoming.size + len(piece) > bytes_max:
                raise too_large(bytes_max)
            incoming.write(piece)

        return write

    async def _pour(self, body: Body, sink: Callable[[bytearray], None]) -> int:
        """A thread takes one batch while the next one arrives; so at most two are in memory."""
        size, batch = 0, bytearray()
        writing: asyncio.Future[None] | None = None
        try:
            while (part := await body.next()) is not None:
                size += len(part)
                batch += part
                if len(batch) >= PIECE_BYTES:
                    if writing:
                        await writing
                    writing, batch = self._kernel.aside(sink, batch), bytearray()
        finally:
            if writing:
                await asyncio.wait([writing])
        if writing:
            writing.result()
        if batch:
            await self._kernel.aside(sink, batch)
        return size

    def _examined(self, incoming: Incoming) -> Received:
        mime = incoming.look(self._upload.examine) if incoming.size else ""
        return Received(incoming.content(), mime)


def _unconditional(request: Request) -> Request:
    """The gate asks like a reader, but is no answer to anything."""
    return structs.replace(request, if_match=None, if_none_match=None)


def _sent(fields: dict[str, object], received: Received | None) -> tuple[bytes, bytes]:
    return msgspec.json.encode(fields), received.content.sha256.encode() if received else b""


def _anyone(_call: Call) -> Answer:
    """Whoever has a token that counts."""
    return NOTHING
