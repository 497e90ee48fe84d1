"""A backup has everything, proves itself, and comes back into either database exactly as it was."""

import hashlib
import json
import os
import re
import shutil
import stat
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from farthing.app import build
from farthing.care.backup import archive, reading, restore, scratch
from farthing.care.backup.daily import Daily
from farthing.care.changes import feed
from farthing.care.doctor import examine
from farthing.kernel.config import Settings
from farthing.kernel.errors import Gone, Locked, Unusable
from farthing.storage import blobs, copying, installation, migrations
from farthing.storage.drivers import open as database
from farthing.storage.drivers.sqlite import SqliteDatabase

from ..answers import Check
from ..attachments.making import attached, download
from ..client import AppClient
from ..conftest import Client, World, empty_database, postgres, running, settings_for
from ..transactions.making import asset, made
from ..upgrade.household import moved_in

NOW = "2024-05-15T12:00:00+00:00"
FAR = 4_000_000_000.0


def silent(_step: str) -> None:
    pass


@pytest.fixture(scope="session")
def household(
    dialect: str, tmp_path_factory: pytest.TempPathFactory, check_answer: Check, request: pytest.FixtureRequest
) -> World:
    """With a little of everything: made once, because that takes longer than most of what is tested."""
    folder = tmp_path_factory.mktemp("household")
    for world in running(empty_database(dialect, folder, request), folder, check_answer):
        moved_in(world)
    return world


@pytest.fixture
def world(
    dialect: str, household: World, tmp_path: Path, check_answer: Check, request: pytest.FixtureRequest
) -> Iterator[World]:
    """A copy of the household, in which the same time has gone by."""
    shutil.copytree(household.settings.data, tmp_path, dirs_exist_ok=True)
    url = f"sqlite:///{tmp_path / 'farthing.sqlite3'}"
    if dialect == "postgresql":
        url = postgres(request).copy_of(household.settings.database_url)
    for copied in running(url, tmp_path, check_answer):
        copied.time.now = household.time.now
        yield copied


@pytest.fixture
def file(world: World, tmp_path: Path) -> Path:
    path = tmp_path / "backup.zip"
    packed(world, path)
    return path


def packed(world: World, path: Path, progress: archive.Progress = silent) -> archive.BackupManifest:
    return archive.make(path, world.settings, world.books, blobs.connect(world.settings), NOW, progress)


@pytest.fixture(params=["sqlite", "postgresql"])
def anywhere(request, tmp_path) -> Settings:
    """Another, empty place, on either database."""
    return empty_place(request.param, tmp_path, request)


@pytest.fixture
def elsewhere(dialect, request, tmp_path) -> Settings:
    """An empty place on the other database: so each is packed once, and filled once."""
    return empty_place("sqlite" if dialect == "postgresql" else "postgresql", tmp_path, request)


def empty_place(dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> Settings:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return settings_for(empty_database(dialect, folder, request), folder)


def restored(path: Path, settings: Settings):
    books = database.connect(settings)
    restore.restore(path, books, blobs.connect(settings), silent)
    return books


def test_every_row_comes_back_with_its_id(world, file, anywhere):
    with closing(restored(file, anywhere)) as books:
        sides = restore.compare(world.books, books, silent)
        findings = list(examine(books))

    assert [one for one in sides if not one.equal] == []
    assert {one.name for one in sides} >= {"users", "splits", "changes", "tokens", "balances in EUR"}
    assert all(re.fullmatch(r"\d+\.\d\d", one.original) for one in sides if one.name == "balances in EUR")
    assert findings == []


def copied_from(world, settings: Settings):
    books = database.connect(settings)
    restore.copy(world.books, books, silent)
    return books


@pytest.mark.parametrize("how", ["restored", "copied"])
def test_a_restored_backup_and_a_copy_give_new_cursors(world, file, anywhere, how):
    target = restored(file, anywhere) if how == "restored" else copied_from(world, anywhere)
    with closing(target) as books, world.books.reading() as original, books.reading() as copied:
        user_id, revision = original.one("SELECT id, revision FROM users ORDER BY revision DESC LIMIT 1")
        cursor = feed.find_end(original, user_id, revision)
        assert feed.read(original, user_id, cursor, revision, limit=1).items == []
        with pytest.raises(Gone):
            feed.read(copied, user_id, cursor, revision, limit=1)
        cursor = feed.find_end(copied, user_id, revision)
        assert feed.read(copied, user_id, cursor, revision, limit=1).items == []


def test_a_sqlite_file_takes_over_the_pages_and_postgresql_gets_each_row(file, elsewhere):
    steps: list[str] = []
    with closing(database.connect(elsewhere)) as books:
        restore.restore(file, books, blobs.connect(elsewhere), steps.append)

    is_file = elsewhere.database_file is not None
    assert any(step.startswith("pages: ") for step in steps) == is_file
    assert any(step.startswith("users: ") for step in steps) != is_file


@pytest.mark.any_database
def test_others_who_have_the_empty_file_open_see_what_was_restored(world, file, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    settings = settings_for(f"sqlite:///{folder / 'farthing.sqlite3'}", folder)
    with closing(database.open_current(settings, create=True)) as open_before:
        with open_before.reading() as db:
            assert copying.is_empty(db)

        restored(file, settings).close()

        assert [one for one in restore.compare(world.books, open_before, silent) if not one.equal] == []
        with open_before.writing() as db:
            db.run("UPDATE house SET revision = revision + 1")


@pytest.mark.any_database
def test_what_somebody_writes_while_the_pages_come_is_refused_or_kept(file, tmp_path):
    """Nobody can write between the look whether it is empty and the last page."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    settings = settings_for(f"sqlite:///{folder / 'farthing.sqlite3'}", folder)

    def book_between(step: str) -> None:
        if step.startswith("pages: "):
            with (
                closing(SqliteDatabase(settings.database_file, wait_ms=0)) as other,
                pytest.raises(Locked),
                other.writing() as db,
            ):
                db.run("UPDATE house SET revision = revision + 1")
            refused.append(step)

    refused: list[str] = []
    with closing(database.connect(settings)) as books:
        restore.restore(file, books, blobs.connect(settings), book_between)

    assert refused


@pytest.mark.parametrize("is_right", [True, False])
def test_a_backup_of_format_1_is_compared_by_its_digests(world, file, is_right):
    with world.books.reading() as db:
        digests = {name: one.digest for name, one in copying.digest_tables(db, silent).items()}
    digests |= {} if is_right else {"users": "0" * 64}

    def set_digests(content: bytes) -> bytes:
        manifest = json.loads(content) | {"format": 1}
        for name, table in manifest["tables"].items():
            table["digest"] = digests[name]
        return json.dumps(manifest).encode()

    rewritten(file, archive.MANIFEST, set_digests)

    found = list(restore.verify(file, FAR, silent))
    assert [sentence.partition(":")[0] for sentence in found] == ([] if is_right else ["users"])


def test_the_restored_house_answers_the_same(world, file, elsewhere):
    token = owner(world).token
    restored(file, elsewhere).close()

    with AppClient(build(elsewhere, world.time.clock())) as http:
        for path in ("/accounts", "/transactions", "/bills", "/recurrences", "/preferences", "/attachments"):
            address, headers = f"/api/v1{path}?limit=1000", {"Authorization": f"Bearer {token}"}
            assert http.get(address, headers=headers).content == world.http.get(address, headers=headers).content


def owner(world: World) -> Client:
    """The household's first user with a token of their own, made before the backup where it should be in there."""
    from farthing.identity import tokens
    from farthing.identity import users as store

    with world.books.writing() as db:
        user = store.list_all(db)[0]
        return Client(world.http, tokens.issue(db, user.id, "test", None, NOW), user, world.check)


@pytest.fixture(autouse=True)
def _token_first(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One token, made before any backup."""
    me = owner(world)
    monkeypatch.setattr(f"{__name__}.owner", lambda _world: me)


def test_contents_come_back(world, elsewhere, tmp_path):
    me = owner(world)
    one = attached(me, b"a receipt")
    packed(world, tmp_path / "second.zip")
    restored(tmp_path / "second.zip", elsewhere).close()

    with AppClient(build(elsewhere, world.time.clock())) as http:
        assert download(Client(http, me.token, me.user, world.check), one).content == b"a receipt"


def test_what_was_noted_about_an_empty_place_is_not_in_the_way(world, elsewhere, tmp_path):
    noted(world.books, "daily")
    packed(world, tmp_path / "second.zip")
    with closing(database.open_current(elsewhere, create=True)) as books:
        noted(books, "of the empty place")

    with closing(restored(tmp_path / "second.zip", elsewhere)) as books, books.reading() as db:
        assert installation.load_checkups(db)[installation.BOOKS].note == "daily"


def noted(books, note: str) -> None:
    with books.writing() as db:
        installation.store_checkup(db, installation.BOOKS, installation.Checkup(NOW, 0, note))


def test_a_restore_that_fails_midway_leaves_no_contents_behind(world, elsewhere, tmp_path):
    for content in (b"a receipt", b"here before"):
        attached(owner(world), content)
    packed(world, tmp_path / "second.zip")
    before = content_file(elsewhere, owner(world).user.id, b"here before")
    before.parent.mkdir(parents=True)
    before.write_bytes(b"here before")

    with closing(database.connect(elsewhere)) as books, pytest.raises(KeyboardInterrupt):
        restore.restore(tmp_path / "second.zip", books, blobs.connect(elsewhere), interrupted_at("users: ", "pages: "))

    assert [path for path in (elsewhere.data / "attachments").rglob("*") if path.is_file()] == [before]
    assert not content_file(elsewhere, owner(world).user.id, b"a receipt").parent.exists()


def test_contents_stay_when_their_rows_came_from_somebody_else_meanwhile(world, elsewhere, tmp_path):
    """Two restore into the same place: the one that comes too late takes nothing away from the other."""
    attached(owner(world), b"a receipt")
    packed(world, tmp_path / "second.zip")

    def overtaken(step: str) -> None:
        if step.startswith("contents") and not steps:
            steps.append(step)
            restored(tmp_path / "second.zip", elsewhere).close()

    steps: list[str] = []
    with closing(database.connect(elsewhere)) as books, pytest.raises(Unusable, match="must be empty"):
        restore.restore(tmp_path / "second.zip", books, blobs.connect(elsewhere), overtaken)

    assert content_file(elsewhere, owner(world).user.id, b"a receipt").exists()


def interrupted_at(*words: str) -> archive.Progress:
    def progress(step: str) -> None:
        if step.startswith(words):
            raise KeyboardInterrupt

    return progress


def content_file(settings: Settings, user_id: int, content: bytes) -> Path:
    name = hashlib.sha256(content).hexdigest()
    return settings.data / "attachments" / str(user_id) / name[:2] / name


def test_ids_that_were_given_out_are_not_given_out_again(world, tmp_path, elsewhere):
    me = owner(world)
    last = int(made(me, asset(name="Last")))
    me.delete(f"/accounts/{last}")
    packed(world, tmp_path / "second.zip")
    restored(tmp_path / "second.zip", elsewhere).close()

    with AppClient(build(elsewhere, world.time.clock())) as http:
        assert int(made(Client(http, me.token, me.user, world.check), asset(name="Next"))) > last


def test_a_backup_verifies_itself(file):
    assert list(restore.verify(file, FAR, silent)) == []


def test_sums_of_everybody_may_leave_64_bits(world, elsewhere, tmp_path):
    """Each balance fits, and whatever one of them holds, everybody has their backups."""
    for sign in ("", "", "-"):
        rich = asset(opening_balance=f"{sign}92233720368547758.07", opening_balance_date="2024-01-01")
        made(world.someone(), rich)
    manifest = packed(world, tmp_path / "second.zip")

    assert manifest.balances["EUR"] > 6 * 9223372036854775807
    assert list(restore.verify(tmp_path / "second.zip", FAR, silent)) == []
    with closing(restored(tmp_path / "second.zip", elsewhere)) as books:
        assert [one for one in restore.compare(world.books, books, silent) if not one.equal] == []


def test_a_content_that_is_missing_is_told_and_the_rest_is_packed(world, tmp_path):
    me = owner(world)
    attached(me, b"lost")
    [lost] = [one for one in blobs.connect(world.settings).of_user(me.user.id) if one.size == 4]
    (world.settings.data / "attachments" / str(me.user.id) / lost.sha256[:2] / lost.sha256).unlink()

    manifest = packed(world, tmp_path / "second.zip")

    assert manifest.missing == [f"attachments/{me.user.id}/{lost.sha256}"]
    assert any(lost.sha256 in one for one in restore.verify(tmp_path / "second.zip", FAR, silent))


def rewritten(path: Path, member: str, change) -> None:
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    members[member] = change(members[member])
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            if content is not None:
                file.writestr(name, content)


@pytest.mark.any_database
@pytest.mark.parametrize("member", [archive.DATABASE, archive.SETTINGS])
def test_a_changed_byte_is_found(world, file, member, tmp_path):
    rewritten(file, member, lambda content: content[:-1] + b"?")

    with pytest.raises(Unusable, match="damaged"), reading.open_backup(file) as opened:
        list(opened.pieces(member))


def test_a_damaged_backup_restores_nothing(world, file, elsewhere):
    rewritten(file, archive.DATABASE, lambda content: content[: len(content) // 2])

    with pytest.raises(Unusable):
        restored(file, elsewhere)

    with closing(database.open_current(elsewhere, create=True)) as books, books.reading() as db:
        assert copying.is_empty(db)


@pytest.mark.parametrize("content", [b"", b"no zip at all", None])
def test_what_is_no_backup(tmp_path, content):
    path = tmp_path / "other.zip"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(Unusable), reading.open_backup(path):
        pass


def test_a_full_place_is_left_alone(world, file):
    with pytest.raises(Unusable, match="empty"):
        restore.restore(file, world.books, blobs.connect(world.settings), silent)


def test_nobody_else_can_read_a_backup_also_while_it_is_made(world, tmp_path):
    modes = set()

    def look(_step: str) -> None:
        modes.update(stat.S_IMODE(one.stat().st_mode) for one in tmp_path.glob(f"{scratch.PREFIX}*/**/*"))

    before = os.umask(0)
    try:
        packed(world, tmp_path / "second.zip", look)
    finally:
        os.umask(before)

    assert modes == {0o600}
    assert stat.S_IMODE((tmp_path / "second.zip").stat().st_mode) == 0o600


def test_a_backup_overwrites_nothing_and_leaves_nothing_behind(world, file, tmp_path):
    before = file.read_bytes()

    with pytest.raises(Unusable, match="already"):
        packed(world, file)

    assert file.read_bytes() == before
    assert [path for path in tmp_path.iterdir() if path.name.startswith(scratch.PREFIX)] == []


@pytest.mark.any_database
def test_no_secret_is_in_the_settings(world, file):
    with zipfile.ZipFile(file) as opened:
        text = opened.read(archive.SETTINGS).decode()

    assert "FARTHING_TIMEZONE=UTC" in text
    assert "DATABASE_URL" not in text


def test_it_is_one_moment_though_others_write(world, tmp_path, monkeypatch):
    """What is booked after the snapshot began is not in it, in no table."""
    me = owner(world)
    copied = copying.count_tables

    def booking(db, progress):
        made(me, asset(name="Too late"))
        return copied(db, progress)

    monkeypatch.setattr(copying, "count_tables", booking)
    manifest = packed(world, tmp_path / "second.zip")
    monkeypatch.undo()

    assert list(restore.verify(tmp_path / "second.zip", FAR, silent)) == []
    with world.books.reading() as db:
        assert copied(db, silent)["accounts"].rows == manifest.tables["accounts"].rows + 1


def test_every_table_is_copied(new_database):
    from farthing.storage.schema import TABLES

    assert set(copying.COPIED) == set(TABLES) - {"migrations", *copying.LEFT_BEHIND}
    assert set(copying.LEFT_BEHIND) == {
        "sessions", "devices", "sign_in_attempts", "sign_in_links", "passkey_challenges", "provider_states",
        "app_codes", "lineage", "password_requests", "password_links", "push_subscriptions",
    }  # fmt: skip
    assert migrations.status(new_database).pending == ()


class TestDaily:
    @pytest.fixture
    def daily(self, world, tmp_path):
        settings = world.settings.model_copy(update={"backup_folder": tmp_path / "daily", "backup_keep": 3})
        return Daily(settings, world.books, blobs.connect(world.settings), world.time.clock())

    def names(self, tmp_path):
        return sorted(path.name for path in (tmp_path / "daily").iterdir())

    @pytest.mark.any_database
    def test_one_each_day_and_the_newest_are_kept(self, world, daily, tmp_path):
        (tmp_path / "daily").mkdir()
        (tmp_path / "daily" / "my own.zip").touch()
        for _ in range(5 * 24):
            daily.turn()
            world.time.now += timedelta(hours=1)

        assert self.names(tmp_path) == [
            "farthing-2024-06-18.zip", "farthing-2024-06-19.zip", "farthing-2024-06-20.zip", "my own.zip",
        ]  # fmt: skip
        assert list(restore.verify(tmp_path / "daily" / "farthing-2024-06-19.zip", FAR, silent)) == []

    def test_without_a_folder_there_is_none(self, world, tmp_path):
        Daily(world.settings, world.books, blobs.connect(world.settings), world.time.clock()).turn()

        assert not (tmp_path / "daily").exists()

    def test_a_folder_that_cannot_be_written_stops_nothing(self, daily, tmp_path, caplog):
        (tmp_path / "daily").write_text("in the way")

        daily.turn()

        assert "the daily backup failed" in caplog.text

    def test_when_there_was_last_one_is_kept(self, world, daily, tmp_path):
        daily.turn()
        first = self.kept(world)
        assert first[installation.BACKUP] == first[installation.BACKUP_MADE]
        assert first[installation.BACKUP].problems == 0

        (tmp_path / "daily").rename(tmp_path / "elsewhere")
        (tmp_path / "daily").write_text("in the way")
        world.time.now += timedelta(days=1)
        daily.turn()

        assert self.kept(world)[installation.BACKUP].problems == 1
        assert self.kept(world)[installation.BACKUP_MADE] == first[installation.BACKUP_MADE]

    def kept(self, world):
        with world.books.reading() as db:
            return installation.load_checkups(db)

    @pytest.mark.any_database
    def test_what_a_killed_process_left_behind_goes(self, world, daily, tmp_path):
        old = tmp_path / "daily" / ".farthing-old"
        old.mkdir(parents=True)
        os.utime(old, (0, 0))

        daily.turn()

        assert not old.exists()


def test_before_it_is_migrated_a_sqlite_file_is_kept_as_it_was(tmp_path):
    folder = tmp_path / "old"
    with closing(SqliteDatabase(folder / "farthing.sqlite3")) as old:
        migrations.migrate(old, until=migrations.known()[1])
        migrations.ensure_current(old, upgrade=True)
        assert migrations.status(old).pending == ()

    with closing(SqliteDatabase(folder / f"farthing.before-{migrations.known()[2]}.sqlite3")) as kept:
        assert migrations.status(kept).applied == migrations.known()[:2]


def test_an_older_schema_can_be_packed_and_comes_back_carried_forward(new_database_url, tmp_path):
    settings = settings_for(new_database_url, tmp_path)
    with closing(database.connect(settings)) as old:
        migrations.migrate(old, until=migrations.known()[1])
        archive.make(tmp_path / "old.zip", settings, old, blobs.connect(settings), NOW, silent)

    assert list(restore.verify(tmp_path / "old.zip", FAR, silent)) == []


def test_a_backup_whose_migrations_are_not_ours_is_refused(tmp_path):
    """Though the newest is. Rows of PostgreSQL are packed into a file that has ours."""
    settings = settings_for(f"sqlite:///{tmp_path / 'books.sqlite3'}", tmp_path)
    with closing(database.open_current(settings, create=True)) as books:
        with books.writing() as db:
            db.run("UPDATE migrations SET name = '0002_other' WHERE name = :name", name=migrations.known()[1])
        archive.make(tmp_path / "other.zip", settings, books, blobs.connect(settings), NOW, silent)

    with pytest.raises(Unusable, match=f"differ in {migrations.known()[1]}, 0002_other"):
        list(restore.verify(tmp_path / "other.zip", FAR, silent))
