"""Signing: what is signed, by whom, and that no secret is ever an argument."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from devenv import commands
from devenv.errors import SetupError
from release import keychain, needs, portable, windows_sign

WORDS = "words of a certificate"


def program(*, signed: bool = False, wide: bool = True) -> bytes:
    """A program for Windows that has a header and nothing else."""
    at, start = 0x80, 0x80 + 24
    data = bytearray(1024)
    data[:2] = b"MZ"
    struct.pack_into("<I", data, 0x3C, at)
    data[at : at + 4] = b"PE\0\0"
    struct.pack_into("<H", data, start, 0x20B if wide else 0x10B)
    directories = start + (112 if wide else 96)
    struct.pack_into("<I", data, directories - 4, 16)
    if signed:
        struct.pack_into("<II", data, directories + 4 * 8, 900, 100)
    return bytes(data)


@pytest.mark.parametrize("wide", [True, False])
def test_a_signature_is_seen(tmp_path: Path, wide: bool) -> None:
    file = tmp_path / "a.exe"
    for signed in (True, False):
        file.write_bytes(program(signed=signed, wide=wide))
        assert portable.is_program(file)
        assert portable.is_signed(file) is signed


@pytest.mark.parametrize("data", [b"", b"MZ", b"\x7fELF" + bytes(4096), program()[:180]])
def test_other_files_are_no_programs(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a.exe"
    file.write_bytes(data)
    assert not portable.is_program(file)
    assert not portable.is_signed(file)


def test_only_what_windows_runs_and_nobody_signed(tmp_path: Path) -> None:
    files = {
        "snug.exe": program(),
        "_internal/ours.pyd": program(),
        "_internal/Theirs.DLL": program(signed=True),
        "_internal/data.dll": b"no program",
        "_internal/other.bin": program(),
    }
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    found = {path.relative_to(tmp_path).as_posix() for path in windows_sign.unsigned([tmp_path])}
    assert found == {"snug.exe", "_internal/ours.pyd"}


def test_the_uninstaller_is_signed_whatever_its_ending(tmp_path: Path) -> None:
    """NSIS names it like a temporary file."""
    (tmp_path / "nst1A2B.tmp").write_bytes(program())
    assert windows_sign.unsigned([tmp_path / "nst1A2B.tmp"])


@pytest.mark.skipif(not shutil.which("osslsigncode"), reason="needs osslsigncode and openssl")
def test_a_real_program_is_signed_and_left_alone_the_second_time(tmp_path: Path) -> None:
    folder = tmp_path / "program"
    folder.mkdir()
    launcher = Path(shutil.__file__).parent  # any real program will do
    found = next(launcher.rglob("t64.exe"), None) or next(launcher.rglob("cli-64.exe"), None)
    if found is None:
        pytest.skip("Python has no program for Windows here")
    shutil.copyfile(found, folder / "real.exe")
    (folder / "notes.txt").write_text("no program", encoding="utf-8")
    given = certificate(tmp_path)
    assert windows_sign.sign([folder], given) == 1
    assert windows_sign.sign([folder], given) == 0
    asked = ["osslsigncode", "verify", "-CAfile", f"{tmp_path}/c.pem", f"{folder}/real.exe"]
    assert b"Succeeded" in subprocess.run(asked, capture_output=True, check=True).stdout


def certificate(folder: Path) -> dict[str, str]:
    """One that nobody trusts, made for this test."""
    (folder / "words").write_text(WORDS, encoding="utf-8")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    made += ["-keyout", "k.pem", "-out", "c.pem", "-subj", "/CN=Nobody"]
    made += ["-addext", "extendedKeyUsage=codeSigning"]
    packed = ["openssl", "pkcs12", "-export", "-inkey", "k.pem", "-in", "c.pem", "-out", "c.p12"]
    for argv in (made, [*packed, "-passout", "file:words"]):
        subprocess.run(argv, cwd=folder, capture_output=True, check=True)
    return {
        windows_sign.WITH: "osslsigncode",
        windows_sign.TIMESTAMP: "none",
        "SNUG_SIGN_PKCS12": str(folder / "c.p12"),
        "SNUG_SIGN_PASSWORD_FILE": str(folder / "words"),
    }


def test_a_tool_that_says_yes_and_does_nothing_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.exe").write_bytes(program())
    monkeypatch.setattr(commands, "run", lambda *_: None)
    given = {windows_sign.WITH: "signtool", "SNUG_SIGN_THUMBPRINT": "AB" * 20}
    with pytest.raises(SetupError, match=r"not signed: a\.exe"):
        windows_sign.sign([tmp_path], given)


def test_nothing_is_signed_by_accident_or_left_out_by_one(tmp_path: Path) -> None:
    (tmp_path / "a.exe").write_bytes(program())
    with pytest.raises(SetupError, match="has to be"):
        windows_sign.sign([tmp_path], {})
    with pytest.raises(SetupError, match="nothing to sign"):
        windows_sign.sign([tmp_path / "gone"], {windows_sign.WITH: "nobody"})
    assert windows_sign.sign([tmp_path], {windows_sign.WITH: "nobody"}) == 0


@pytest.mark.parametrize(
    ("signer", "given", "asked"),
    [
        ("azure", {"SNUG_SIGN_DLIB": "d.dll", "SNUG_SIGN_METADATA": "m.json"}, "acs.microsoft.com"),
        ("signtool", {"SNUG_SIGN_THUMBPRINT": "AB"}, "digicert"),
        ("osslsigncode", {"SNUG_SIGN_PKCS12": "p", "SNUG_SIGN_PASSWORD_FILE": "f"}, "digicert"),
    ],
)
def test_signatures_have_a_time_so_that_they_outlive_the_certificate(
    signer: str, given: dict[str, str], asked: str
) -> None:
    argv = " ".join(map(str, windows_sign.command(signer, given)))
    assert asked in argv
    assert "sha256" in argv.lower()
    for missing in given:
        rest = {name: value for name, value in given.items() if name != missing}
        with pytest.raises(SetupError, match=f"{missing} is not set"):
            windows_sign.command(signer, rest)


def test_a_command_line_of_windows_is_long_enough(tmp_path: Path) -> None:
    longest = windows_sign._AT_ONCE * 260 + 2_000
    assert longest < 32_767


def test_a_keychain_holds_one_certificate_and_asks_nobody(tmp_path: Path) -> None:
    said: list[list[str]] = []
    given = {keychain.CERTIFICATE: "cGtjczEy", keychain.PASSWORD: WORDS}
    keychain.make(tmp_path / "k", given, lambda argv, _: said.append([str(a) for a in argv]))
    assert [argv[1] for argv in said] == [
        "create-keychain",
        "set-keychain-settings",
        "unlock-keychain",
        "import",
        "set-key-partition-list",
        "list-keychains",
    ]
    brought = next(argv for argv in said if argv[1] == "import")
    assert not Path(brought[2]).exists(), "the certificate's file is gone afterwards"


@pytest.mark.parametrize("wrong", ["", "no base64!"])
def test_a_certificate_that_is_none_is_named(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(SetupError, match=keychain.CERTIFICATE):
        keychain.make(tmp_path / "k", {keychain.CERTIFICATE: wrong}, lambda *_: None)


def test_a_job_that_signs_installs_just_what_draws() -> None:
    locked = {
        "pyside6-essentials==6 ": "qt\n",
        "dmgbuild==1 ; sys_platform == 'darwin'": "dmg\n",
        "httpx==1": "net\n",
    }
    assert list(needs.chosen(locked, "win32")) == ["qt\n"]
    assert list(needs.chosen(locked, "darwin")) == ["qt\n", "dmg\n"]
