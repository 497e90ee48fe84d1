"""Where is this machine? Its zone is told as far as it has a name that everybody knows."""

import pytest

from farthing.clock import machine_zone


@pytest.mark.parametrize(
    ("given", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        (":Europe/Berlin", "Europe/Berlin"),
        ("/usr/share/zoneinfo/America/Lima", "America/Lima"),
        (":/usr/share/zoneinfo/right/Asia/Tokyo", "Asia/Tokyo"),
        ("Etc/UTC", "UTC"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "UTC"),
        ("Mars/Olympus", "UTC"),
        ("../UTC", "UTC"),
    ],
)
def test_the_variable_comes_first(tmp_path, given, zone):
    (tmp_path / "timezone").write_text("Asia/Tokyo")

    assert machine_zone({"TZ": given}, tmp_path) == zone


@pytest.mark.parametrize("environ", [{}, {"TZ": ""}])
def test_then_where_localtime_leads(tmp_path, environ):
    (tmp_path / "localtime").symlink_to("../usr/share/zoneinfo/Europe/Berlin")
    (tmp_path / "timezone").write_text("Asia/Tokyo\n")

    assert machine_zone(environ, tmp_path) == "Europe/Berlin"


def test_it_may_lead_there_in_several_steps(tmp_path):
    place = tmp_path / "zoneinfo/Europe/Berlin"
    place.parent.mkdir(parents=True)
    place.touch()
    (tmp_path / "static").symlink_to(place)
    (tmp_path / "localtime").symlink_to(tmp_path / "static")

    assert machine_zone({}, tmp_path) == "Europe/Berlin"


def test_then_what_timezone_says(tmp_path):
    (tmp_path / "localtime").write_bytes(b"TZif2")
    (tmp_path / "timezone").write_text("Asia/Tokyo\n")

    assert machine_zone({}, tmp_path) == "Asia/Tokyo"


@pytest.mark.parametrize("content", [None, b"", b"nowhere", b"\xff\xfe", b"/etc"])
def test_else_it_is_utc(tmp_path, content):
    if content is not None:
        (tmp_path / "timezone").write_bytes(content)

    assert machine_zone({}, tmp_path) == "UTC"
