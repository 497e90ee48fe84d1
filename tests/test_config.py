"""Settings: what is understood, what is refused and how, and that the page lists them all."""

import re
from inspect import signature
from pathlib import Path

import pytest

from farthing.cli.serve import serve
from farthing.kernel import config
from farthing.kernel.clock import stamp
from farthing.kernel.errors import Misconfigured
from farthing.kernel.settings.providers import list_fields

PAGE = Path(__file__).parents[1] / "docs/operate/settings.md"
NO_FILE = Path("there-is-no-such-file")


def load(dotenv: Path = NO_FILE, **given: str) -> config.Settings:
    return config.load({f"FARTHING_{name.upper()}": text for name, text in given.items()}, dotenv)


def refusal(**given: str) -> str:
    with pytest.raises(Misconfigured) as refused:
        load(**given)
    return str(refused.value)


def test_without_any_setting_the_defaults_hold():
    settings = load()

    assert settings.database_url == f"sqlite:///{settings.data}/farthing.sqlite3"
    assert settings.data.is_absolute()
    assert (settings.base_url, settings.trusted_proxies, settings.timezone) == (None, (), "UTC")
    assert (settings.body_bytes_max, settings.upload_bytes_max) == (2 * 1024**2, 64 * 1024**2)
    assert (settings.form_fields_max, settings.postgres_connections_max) == (2000, 10)
    assert (settings.log_level, settings.log_format, settings.testing) == ("info", "auto", False)


def test_the_database_lies_in_the_data_folder_unless_told_otherwise(tmp_path):
    assert load(data=str(tmp_path)).database_url == f"sqlite:///{tmp_path}/farthing.sqlite3"


def test_a_relative_path_is_made_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    settings = load(data="books", database_url="sqlite:///books/ours.db")

    assert settings.data == tmp_path / "books"
    assert settings.database_url == f"sqlite:///{tmp_path}/books/ours.db"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("database_url", "postgresql://me:secret@db:5432/money", "postgresql://me:secret@db:5432/money"),
        ("database_url", "sqlite:////srv/money.db", "sqlite:////srv/money.db"),
        ("base_url", "https://example.org/money/", "https://example.org/money"),
        ("base_url", " http://[::1]:8000 ", "http://[::1]:8000"),
        ("timezone", "Europe/Berlin", "Europe/Berlin"),
        ("body_bytes_max", "3MiB", 3 * 1024**2),
        ("body_bytes_max", "1000", 1000),
        ("log_level", "WARNING", "warning"),
        ("log_format", "Json", "json"),
        ("testing", "1", True),
        ("storage", "s3://household.money/farthing/1/", "s3://household.money/farthing/1"),
        ("storage", "/srv/contents", "/srv/contents"),
        ("base_url", "", None),
        ("timezone", "", "UTC"),
    ],
)
def test_a_value_is_understood(name, text, value):
    assert getattr(load(**{name: text}, s3_key="key", s3_secret="secret"), name) == value


@pytest.mark.parametrize(
    ("name", "text", "right"),
    [
        ("data", __file__, "a folder"),
        ("database_url", "mysql://host/name", "postgresql://"),
        ("database_url", "postgres://host/name", "postgresql://"),
        ("database_url", "sqlite://money.db", "sqlite:///path"),
        ("database_url", "sqlite:///", "sqlite:///path"),
        ("database_url", "sqlite:///:memory:", "sqlite:///path"),
        ("storage", "s3://", "s3://bucket"),
        ("storage", "s3://Household", "s3://bucket"),
        ("storage", "s3://household/../other", "s3://bucket"),
        ("storage", "gs://household", "s3://bucket"),
        ("storage", __file__, "a folder"),
        ("s3_endpoint", "s3.example.org", "https://s3.example.org"),
        ("s3_region", "Frankfurt!", "eu-central-1"),
        ("base_url", "money.example", "https://money.example"),
        ("base_url", "ftp://money.example", "https://money.example"),
        ("base_url", "https://money.example?x=1", "https://money.example"),
        ("base_url", "https://money.example:port", "https://money.example"),
        ("base_url", "https://me:secret@money.example", "https://money.example"),
        ("trusted_proxies", "127.0.0.1,nearby", "10.0.0.0/8"),
        ("session_idle_hours", "99999999", "from 1 to 87600"),
        ("session_days", "0", "from 1 to 3650"),
        ("trash_days", "99999999", "from 1 to 36500"),
        ("metrics_from", "nearby", "10.0.0.0/8"),
        ("timezone", "Mars/Olympus", "Europe/Berlin"),
        ("timezone", "Europe", "Europe/Berlin"),
        ("timezone", "../UTC", "Europe/Berlin"),
        ("body_bytes_max", "0", "2MiB"),
        ("upload_bytes_max", "-1", "64MiB"),
        ("upload_bytes_max", "plenty", "64MiB"),
        ("form_fields_max", "0", "above zero"),
        ("form_fields_max", "many", "above zero"),
        ("log_level", "loud", "debug, info, warning or error"),
        ("log_format", "xml", "auto, text or json"),
        ("postgres_connections_max", "1001", "from 1 to 1000"),
        ("testing", "perhaps", "0 or 1"),
    ],
)
def test_a_wrong_value_is_one_line_with_name_value_and_what_would_be_right(name, text, right):
    line = refusal(**{name: text})

    assert line.startswith(f"FARTHING_{name.upper()} is '{text}', but must be ")
    assert right in line
    assert "\n" not in line


def test_every_wrong_value_is_named_at_once():
    line = refusal(timezone="Mars", log_level="loud")

    assert "FARTHING_TIMEZONE is 'Mars'" in line
    assert "FARTHING_LOG_LEVEL is 'loud'" in line


def test_a_wrong_data_folder_is_not_blamed_on_the_database():
    assert "DATABASE_URL" not in refusal(data=__file__)


@pytest.mark.parametrize(
    "url", ["mysql://me:hunter2@db/x", "hunter2", "mysql://db/x?password=hunter2", "me:hunter2@db"]
)
def test_a_refused_database_url_never_shows_its_password(url):
    assert "hunter2" not in refusal(database_url=url)


@pytest.mark.parametrize("password", ["hun@ter2", "hun/ter2", "hun?ter2", "hun%ter2", "@hunter2", "/hunter2"])
@pytest.mark.parametrize("name", ["database_url", "read_url", "copy_to"])
def test_a_password_that_is_not_escaped_is_not_taken_for_a_host(name, password):
    line = refusal(**{name: f"postgresql://me:{password}@db.example:5432/money"})

    assert "ter2" not in line
    assert "%40 for @" in line


@pytest.mark.parametrize(
    "rest",
    [
        "me:hun%40t%2Fer@db:5432/money", "/money", "db/money", "me@%2Frun%2Fpostgresql/money", "me@[::1]:5432/money",
        "me@a:1,b:2/money?target_session_attrs=read-write", "db/money?user=me&password=p@ss", "/money?host=/run/a@b",
    ],
)  # fmt: skip
def test_urls_of_postgresql_are_taken_as_they_are(rest):
    assert load(database_url=f"postgresql://{rest}").database_url == f"postgresql://{rest}"


def test_rates_come_by_https_unless_they_come_from_the_own_network():
    assert "use https://" in refusal(rates="http://rates.example/daily.csv?key=secret")
    assert "secret" not in refusal(rates="http://rates.example/daily.csv?key=secret")
    assert load(rates="http://nas.example/daily.csv", outgoing_private="1").rates


def test_s3_needs_a_key_and_never_shows_its_secret():
    assert refusal(storage="s3://household", s3_key="me") == (
        "FARTHING_STORAGE is 's3://household', which also needs FARTHING_S3_SECRET"
    )
    settings = load(storage="s3://household", s3_key="me", s3_secret="hunter2")
    assert "hunter2" not in f"{settings!r} {settings} {config.mask(settings)}"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('FARTHING_BACKUP_FOLDER="/srv/secret', "is not of the form NAME=value"),
        ("FARTHING_BACKUP_FOLDER: /srv/secret", "is not of the form NAME=value"),
        ("FARTHING_TRASH_DAYS", "names FARTHING_TRASH_DAYS without a value"),
    ],
)
def test_a_broken_line_of_the_file_is_named_and_not_repeated(tmp_path, line, why):
    dotenv = tmp_path / ".env"
    dotenv.write_text(f"# ours\nFARTHING_TIMEZONE=UTC\n\n{line}\nFARTHING_LOG_LEVEL=info\n")

    with pytest.raises(Misconfigured, match=f"{dotenv}, line 4, {why}") as caught:
        load(dotenv)
    assert "secret" not in str(caught.value)


def test_a_folder_is_not_taken_for_the_file(tmp_path):
    with pytest.raises(Misconfigured, match="cannot be read: Is a directory"):
        load(tmp_path)


def test_names_of_others_without_a_value_are_ignored(tmp_path):
    (tmp_path / ".env").write_text("OTHER\nexport FARTHING_TRASH_DAYS='7' # days\n")

    assert load(tmp_path / ".env").trash_days == 7


def test_the_environment_wins_over_the_file(tmp_path):
    dotenv = tmp_path / ".env"
    dotenv.write_text("# ours\nFARTHING_TIMEZONE=Europe/Paris\nexport FARTHING_LOG_LEVEL='debug'\nOTHER=x\n")

    settings = load(dotenv, timezone="Europe/Rome")

    assert (settings.timezone, settings.log_level, settings.unknown_names) == ("Europe/Rome", "debug", ())


def test_a_dollar_sign_in_the_file_is_just_a_dollar_sign(tmp_path):
    dotenv = tmp_path / ".env"
    dotenv.write_text("FARTHING_DATABASE_URL=postgresql://me:a${HOME}b@db/x\n")

    assert load(dotenv).database_url == "postgresql://me:a${HOME}b@db/x"


def test_a_file_that_is_no_text_is_refused(tmp_path):
    dotenv = tmp_path / ".env"
    dotenv.write_bytes(b"FARTHING_TIMEZONE=\xff\xfe\n")

    with pytest.raises(Misconfigured, match=r"\.env cannot be read: it is not UTF-8 text"):
        load(dotenv)


def test_a_secret_may_lie_in_a_file(tmp_path):
    secret = tmp_path / "url"
    secret.write_text("postgresql://me:secret@db/money\n")

    settings = load(database_url_file=str(secret))

    assert settings.database_url == "postgresql://me:secret@db/money"
    assert settings.unknown_names == ()


def test_a_secret_file_in_the_environment_wins_over_a_url_in_the_dotenv_file(tmp_path):
    secret = tmp_path / "url"
    secret.write_text("postgresql://db/theirs")
    dotenv = tmp_path / ".env"
    dotenv.write_text("FARTHING_DATABASE_URL=postgresql://db/ours")

    assert load(dotenv, database_url_file=str(secret)).database_url == "postgresql://db/theirs"


def test_a_secret_file_must_exist_and_hold_something(tmp_path):
    empty = tmp_path / "empty"
    empty.write_text("\n")

    assert "FARTHING_DATABASE_URL_FILE is '/nowhere', which cannot be read" in refusal(database_url_file="/nowhere")
    assert "which is empty" in refusal(database_url_file=str(empty))
    assert "keep one of them" in refusal(database_url_file=str(empty), database_url="postgresql://db/x")


def test_a_wrong_secret_in_a_file_is_blamed_on_the_variable_that_names_the_file(tmp_path):
    secret = tmp_path / "url"
    secret.write_text("hunter2\n")

    line = refusal(database_url_file=str(secret), timezone="Mars")

    assert f"FARTHING_DATABASE_URL_FILE is '{secret}', which holds '***', but must hold sqlite:///" in line
    assert "FARTHING_TIMEZONE is 'Mars', but must be" in line
    assert "FARTHING_DATABASE_URL is" not in line


def test_unknown_names_are_collected():
    settings = load(databse_url="x", colour="blue", timezone_file="x", unknown_names="x")

    assert settings.unknown_names == (
        "FARTHING_COLOUR",
        "FARTHING_DATABSE_URL",
        "FARTHING_TIMEZONE_FILE",
        "FARTHING_UNKNOWN_NAMES",
    )


@pytest.mark.parametrize(
    ("unknown", "meant"),
    [
        ("DATABSE_URL", "FARTHING_DATABASE_URL"),
        ("DATABASE", "FARTHING_DATABASE_URL"),
        ("TIME_ZONE", "FARTHING_TIMEZONE"),
        ("DATA_DIR", "FARTHING_DATA"),
        ("COLOUR", None),
        ("TZ", None),
        ("USER", None),
        ("LISTEN", None),
        ("DB_URL", None),
        ("PORT", "`farthing serve --port`"),
        ("HOST", "`farthing serve --host`"),
        ("WORKERS", "`farthing serve --workers`"),
    ],
)
def test_only_a_name_that_is_really_alike_is_suggested(unknown, meant):
    assert config.suggest_setting(f"FARTHING_{unknown}") == meant


def test_the_options_that_are_suggested_are_those_of_serve():
    assert set(config.OPTIONS_OF_SERVE) <= set(signature(serve).parameters)


def test_trusted_proxies_are_networks_and_a_star_is_all_of_them():
    some = load(trusted_proxies="127.0.0.1, 10.0.0.0/8,::1").trusted_proxies
    everyone = load(trusted_proxies="*").trusted_proxies

    assert some == ("127.0.0.1/32", "10.0.0.0/8", "::1/128")
    assert everyone == ("*",)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:secret@db:5432/money", "postgresql://me:***@db:5432/money"),
        ("postgresql://me:s%40c:r%2Ft@db/money", "postgresql://me:***@db/money"),
        ("postgresql://db/money?user=me&password=secret", "postgresql://db/money?user=me&password=***"),
        ("postgresql://db:5432/money", "postgresql://db:5432/money"),
        ("sqlite:////srv/money.db", "sqlite:////srv/money.db"),
    ],
)
def test_settings_are_shown_without_the_database_password(url, shown):
    settings = load(database_url=url)

    assert config.mask(settings)["FARTHING_DATABASE_URL"] == shown
    assert "postgresql" not in repr(settings)


def test_what_is_shown_can_be_read_back(tmp_path):
    given = load(data=str(tmp_path), trusted_proxies="*", testing="1", body_bytes_max="1MiB", base_url="http://a/b")
    dotenv = tmp_path / ".env"
    dotenv.write_text("\n".join(f"{name}={text}" for name, text in config.mask(given).items()))

    assert load(dotenv) == given


def test_settings_cannot_be_changed_once_read():
    with pytest.raises(ValueError, match="frozen"):
        load().timezone = "Europe/Berlin"


def test_a_test_clock_counts_only_while_testing(tmp_path):
    clock = tmp_path / "clock"
    clock.write_text("2024-02-29T12:00:00+00:00")

    stopped = config.make_clock(load(testing="1", test_clock=str(clock)))
    real = config.make_clock(load(test_clock=str(clock)))

    assert stamp(stopped.now()) == "2024-02-29T12:00:00+00:00"
    assert real.now().year > 2024


def test_the_page_lists_every_setting_with_its_default_and_meaning():
    rows = re.findall(r"^\| `(FARTHING_\w+)` \| (.*?) \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    defaults = config.mask(load())
    beside = {"FARTHING_DATA", "FARTHING_DATABASE_URL"}  # they depend on the machine; the meaning says how

    assert {name: meaning for name, _, meaning in rows} == {
        config.variable_name(name): field.description for name, field in config.list_settings()
    }
    assert {name: shown.strip("`") for name, shown, _ in rows if name not in beside} == {
        name: text or "none" for name, text in defaults.items() if name not in beside
    }


HOME = {"oidc": "home", "oidc_home_issuer": "https://auth.example/x/", "oidc_home_client_id": "farthing"}


def test_each_provider_has_variables_of_its_own():
    work = {"oidc_work_issuer": "http://idp", "oidc_work_client_id": "f", "oidc_work_scopes": "email groups"}
    home, other = load(**HOME | work | {"oidc": " Home,work,", "oidc_work_create": "1"}).providers

    assert (home.key, home.issuer, home.title, home.create) == ("home", "https://auth.example/x/", "Home", False)
    assert home.scopes == ("openid", "email", "profile")
    assert (other.title, other.create, other.scopes) == ("Work", True, ("openid", "email", "groups"))


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ({"oidc": "ho me"}, "FARTHING_OIDC is 'ho me', but must be up to ten comma-separated names"),
        ({"oidc": "1st"}, "FARTHING_OIDC is '1st', but must be"),
        ({"oidc": ",".join(f"p{n}" for n in range(11))}, "but must be up to ten"),
        ({"oidc": "home,work"}, "FARTHING_OIDC names 'work', which also needs FARTHING_OIDC_WORK_ISSUER"),
        ({"oidc_home_client_id": ""}, "FARTHING_OIDC names 'home', which also needs FARTHING_OIDC_HOME_CLIENT_ID"),
        ({"oidc_home_issuer": "auth.example"}, "FARTHING_OIDC_HOME_ISSUER is 'auth.example', but must be an address"),
        ({"oidc_home_issuer": "https://me:x@auth.example"}, "but must be an address such as https://auth.example.org"),
        ({"oidc_home_create": "perhaps"}, "FARTHING_OIDC_HOME_CREATE is 'perhaps', but must be true or false"),
        ({"oidc_home_name": "x" * 41}, "but must be at most 40 characters"),
        ({"oidc_home_scopes": 'a"b'}, "FARTHING_OIDC_HOME_SCOPES is 'a\"b', but must be scopes"),
        (
            {"oidc_home_client_secret": "hunter2\x7f"},
            "FARTHING_OIDC_HOME_CLIENT_SECRET is '***', but must be the secret",
        ),
    ],
)
def test_a_wrong_provider_is_one_line(wrong, line):
    said = refusal(**HOME | wrong)

    assert line in said
    assert "\n" not in said
    assert "hunter2" not in said


def test_the_secret_of_a_provider_may_lie_in_a_file_and_is_never_shown(tmp_path):
    (tmp_path / "secret").write_text("hunter2\n")
    settings = load(**HOME, oidc_home_client_secret_file=str(tmp_path / "secret"))

    assert settings.unknown_names == ()
    assert settings.providers[0].client_secret.get_secret_value() == "hunter2"
    assert "hunter2" not in f"{settings!r} {settings} {config.mask(settings)}"
    assert config.mask(settings)["FARTHING_OIDC_HOME_ISSUER"] == "https://auth.example/x/"


def test_variables_of_a_provider_that_is_not_named_are_unknown():
    assert load(oidc_home_issuer="https://auth.example").unknown_names == ("FARTHING_OIDC_HOME_ISSUER",)
    assert load(**HOME, oidc_home_colour="blue").unknown_names == ("FARTHING_OIDC_HOME_COLOUR",)


@pytest.mark.parametrize("trusted", ["", "*"])
def test_a_header_that_names_users_needs_a_proxy_that_is_named(trusted):
    assert refusal(remote_user_header="Remote-User", trusted_proxies=trusted) == (
        "FARTHING_REMOTE_USER_HEADER is 'Remote-User', which also needs the address of the proxy in "
        "FARTHING_TRUSTED_PROXIES, where * is not enough"
    )


@pytest.mark.parametrize("name", ["Remote User", "Cookie", "authorization", "X-Forwarded-For", "a:b"])
def test_a_header_that_names_users_means_nothing_else(name):
    assert "must be the name of a header" in refusal(remote_user_header=name, trusted_proxies="127.0.0.1")


def test_the_page_lists_every_setting_of_a_provider():
    rows = re.findall(r"^\| `FARTHING_OIDC_<NAME>_(\w+)` \| (.*?) \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    shown = config.mask(load(oidc="x", oidc_x_issuer="https://a.example", oidc_x_client_id="a"))
    needed = {"ISSUER", "CLIENT_ID"}

    assert {name: meaning for name, _, meaning in rows} == {
        name.upper(): field.description for name, field in list_fields()
    }
    assert {name: text.strip("`") for name, text, _ in rows if name not in needed} == {
        name.upper(): shown[f"FARTHING_OIDC_X_{name.upper()}"] or "none"
        for name, _ in list_fields()
        if name.upper() not in needed
    }
