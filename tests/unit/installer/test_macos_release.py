"""Signing, Apple's check and the disk image go in the one order that works. No Mac is needed:
commands are listed instead of run."""

import json
import struct
import subprocess
from pathlib import Path

import pytest

from devenv import commands
from devenv.errors import SetupError
from freeze import packages
from linux.tree import Release
from macos import __main__ as verbs
from macos import dmg, given, notarise, pictures, sign
from tests.unit.freeze import mach_files as made

CERTIFICATE = "Developer ID Application: The Snug project (ABCDE12345)"
RELEASE = Release(version="1.2.3", made_s=86_400)
ACCEPTED = '{"id":"2efe2717","message":"Processing complete","status":"Accepted"}'
REFUSED = '{"id":"2efe2717","message":"Processing complete","status":"Invalid"}'


@pytest.fixture
def app(tmp_path):
    return made.bundle(tmp_path)


@pytest.fixture
def ran(monkeypatch):
    """The commands that would have run; all of Apple's tools are there, and Apple says yes."""
    monkeypatch.setattr(given.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setenv(given.PROFILE, "release")
    monkeypatch.delenv(given.IDENTITY, raising=False)
    listed = []
    monkeypatch.setattr(
        commands, "run", lambda argv, _doing, env=None: listed.append([*map(str, argv)])
    )
    answers(monkeypatch, listed, ACCEPTED)
    return listed


def answers(monkeypatch, listed, *texts):
    left = list(texts)

    def run(argv, **_):
        listed.append([*map(str, argv)])
        return subprocess.CompletedProcess(argv, 0, left.pop(0), "")

    monkeypatch.setattr(notarise.subprocess, "run", run)


def names(listed):
    """The tool and its verb, as "notarytool submit"."""
    return [" ".join(argv[1:3] if argv[0] == "xcrun" else argv[:1]) for argv in listed]


# --- signing ----------------------------------------------------------------------------------


def test_inside_out(app):
    code = app / "Contents" / "Frameworks"
    framework = code / "PySide6" / "Qt" / "lib" / "QtCore.framework" / "Versions" / "A"
    inner = framework / "Helpers" / "libinner.dylib"
    made.place(inner, made.thin())
    order = sign.units(app)
    assert order.index(inner) < order.index(framework)
    assert order[-1] == app
    assert len(order) == len(set(order))
    expected = {framework, inner, app, code / "PySide6" / "QtCore.abi3.so"}
    expected |= {code / "llama_cpp" / "lib" / f"lib{name}.dylib" for name in ("ggml-base", "llama")}
    assert set(order) == expected  # no link, no picture, no main program on its own


def test_libraries_get_no_rights_and_the_program_does(app):
    libraries, program = sign.signing(app, CERTIFICATE)
    for argv in (libraries, program):
        assert argv[:4] == ["codesign", "--force", "--sign", CERTIFICATE]
        assert argv[4:7] == ["--timestamp", "--options", "runtime"]
        assert "--deep" not in argv
    assert "--entitlements" not in libraries
    assert program[-3:] == ["--entitlements", str(sign.RIGHTS), str(app)]


def test_a_signature_of_nobody_asks_apple_for_nothing(app):
    for argv in sign.signing(app, sign.NOBODY):
        assert argv[:4] == ["codesign", "--force", "--sign", "-"]
        assert not {"--timestamp", "--options", "--entitlements"} & set(argv)


def test_a_signed_bundle_is_checked(app, ran):
    sign.sign(app, CERTIFICATE)
    assert ran[-1] == ["codesign", "--verify", "--deep", "--strict", "--verbose=2", str(app)]


def test_without_a_certificate_or_a_mac_it_says_so(app, monkeypatch):
    with pytest.raises(SetupError, match=given.IDENTITY):
        given.identity({})
    monkeypatch.setattr(given.shutil, "which", lambda _name: None)
    with pytest.raises(SetupError, match="codesign is missing"):
        sign.sign(app, CERTIFICATE)


# --- Apple's check ----------------------------------------------------------------------------


def test_the_program_is_sent_packed_and_gets_the_proof_itself(app, ran, tmp_path):
    notarise.notarise(app, tmp_path / "work")
    assert names(ran) == [
        "ditto",
        "notarytool submit",
        "stapler staple",
        "stapler validate",
        "spctl",
    ]
    archive = str(tmp_path / "work" / "Snug.zip")
    assert ran[0][-2:] == [str(app), archive]
    assert "--keepParent" in ran[0]
    assert ran[1][3] == archive
    assert ran[1][-2:] == ["--keychain-profile", "release"]
    assert all(argv[-1] == str(app) for argv in ran[2:])


def test_the_image_is_sent_as_it_is(ran, tmp_path):
    image = tmp_path / "snug.dmg"
    image.write_bytes(b"")
    notarise.notarise(image, tmp_path)
    assert names(ran) == ["notarytool submit", "stapler staple", "stapler validate", "spctl"]
    assert ran[0][3] == str(image)
    assert "context:primary-signature" in ran[-1]


def test_what_apple_refuses_gets_no_proof_and_the_reasons_are_told(app, ran, tmp_path, monkeypatch):
    reasons = json.dumps({"issues": [{"path": "libbad.dylib", "message": "not signed"}]})
    answers(monkeypatch, ran, REFUSED, reasons)
    with pytest.raises(SetupError, match=r"Invalid[^§]*libbad\.dylib"):
        notarise.notarise(app, tmp_path / "work")
    assert names(ran) == ["ditto", "notarytool submit", "notarytool log"]
    assert ran[-1][3] == "2efe2717"


@pytest.mark.parametrize("said", ["", "Error: HTTP status code: 401. Unauthorized", "{broken"])
def test_no_answer_is_told(said):
    with pytest.raises(SetupError, match="gave no answer"):
        notarise.parsed(said)


def test_words_around_the_answer_do_no_harm():
    assert notarise.parsed(f"Conducting checks\n{ACCEPTED}\n").status == "Accepted"


def test_the_proof_may_come_late(monkeypatch, ran):
    fails, waits = [1, 1], []

    def run(argv, _doing, env=None):
        ran.append(argv)
        if "staple" in argv and fails:
            fails.pop()
            raise SetupError("Error 65")

    monkeypatch.setattr(commands, "run", run)
    notarise.staple(Path("Snug.app"), sleep=waits.append)
    assert len(waits) == 2
    fails += [1] * 20
    with pytest.raises(SetupError, match="Error 65"):
        notarise.staple(Path("Snug.app"), sleep=waits.append)


def test_who_asks(tmp_path):
    key = tmp_path / "key.p8"
    key.write_text("-----BEGIN PRIVATE KEY-----")
    variables = {given.KEY: str(key), given.KEY_ID: "ABC", given.ISSUER: "uuid"}
    known = given.credentials(variables)
    assert known == ["--key", str(key), "--key-id", "ABC", "--issuer", "uuid"]
    assert given.credentials({given.PROFILE: "p"}) == ["--keychain-profile", "p"]
    with pytest.raises(SetupError, match=given.KEY_ID):
        given.credentials({given.KEY: str(key)})


def test_a_key_that_was_given_instead_of_its_file_is_not_repeated():
    key = "-----BEGIN PRIVATE KEY----- MIGTAgEA"
    with pytest.raises(SetupError) as told:
        given.credentials({given.KEY: key, given.KEY_ID: "ABC"})
    assert "MIGT" not in str(told.value)


# --- the disk image ---------------------------------------------------------------------------


def settings():
    """As dmgbuild runs the file, with what it is given."""
    known = {"defines": {"app": "/made/Snug.app", "background": "/made/background.png"}}
    text = dmg._SETTINGS.read_text(encoding="utf-8")
    exec(compile(text, str(dmg._SETTINGS), "exec"), known, known)  # noqa: S102 - as dmgbuild does
    return known


def test_the_image_shows_the_program_and_where_it_goes():
    known = settings()
    assert known["files"] == ["/made/Snug.app"]
    assert known["symlinks"] == {"Applications": "/Applications"}
    assert set(known["icon_locations"]) == {"Snug.app", "Applications"}
    width, height = known["window_rect"][1]
    half = known["icon_size"] // 2
    for x, y in known["icon_locations"].values():
        assert half <= x <= width - half
        assert half <= y <= height - half
    assert known["background"] == "/made/background.png"
    assert known["format"] == "ULMO"
    assert known.get("license") is None


def test_the_image_is_made_and_says_for_which_macs(app, ran, tmp_path):
    target = dmg.build(app, tmp_path / "work", tmp_path / "made", RELEASE)
    assert target == tmp_path / "made" / "snug-1.2.3-arm64.dmg"
    (argv,) = ran
    assert argv[1:3] == ["-m", "dmgbuild"]
    assert argv[-2:] == ["Snug", str(target)]
    background = tmp_path / "work" / "dmg" / "background.png"
    assert [f"app={app}", f"background={background}"] == argv[8:11:2]
    for picture, scale in ((background, 1), (background.with_name("background@2x.png"), 2)):
        size = struct.unpack(">II", picture.read_bytes()[16:24])
        assert size == (pictures.WINDOW[0] * scale, pictures.WINDOW[1] * scale)


def test_a_release_signs_the_image_too(app, ran, tmp_path, monkeypatch):
    monkeypatch.setenv(given.IDENTITY, CERTIFICATE)
    target = dmg.build(app, tmp_path / "work", tmp_path / "made", RELEASE)
    signed = ran[1]
    assert signed[:5] == ["codesign", "--force", "--sign", CERTIFICATE, "--timestamp"]
    assert "runtime" not in signed  # that is for programs
    assert signed[-1] == str(target)


def test_only_macs_make_it():
    assert packages.KINDS["dmg"].systems == ("darwin",)
    assert [name for name, kind in packages.KINDS.items() if "darwin" in kind.systems] == ["dmg"]


def test_the_steps_of_a_release_have_names():
    parser = verbs.parser()
    for line in (
        ["sign", "Snug.app"],
        ["dmg"],
        ["notarise", "Snug.app", "a.dmg"],
    ):
        assert callable(parser.parse_args(line).run)


@pytest.mark.parametrize("verb", ["sign", "dmg", "notarise"])
def test_what_is_not_there_is_told_in_words(verb, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("sys.argv", ["macos", verb, str(tmp_path / "Snug.app")])
    monkeypatch.setenv(given.IDENTITY, CERTIFICATE)
    assert verbs.main() == 1
    assert "Snug.app is not there" in capsys.readouterr().err
