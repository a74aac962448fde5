"""What is printed in a terminal that is not set to UTF-8, and questions that are typed there."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX's terminals")
SAY = "from app.streams import give_streams; give_streams(); print('雪', end='')"
ASKED = "import sys; from app.cli.ask import _as_typed; print(_as_typed(sys.argv[1]), end='')"


def said(code, encoding, *arguments, utf8_mode="1"):
    """The bytes that a program prints whose locale has this encoding."""
    told = f"import locale; locale.getencoding = lambda: {encoding!r}; "
    environment = {**os.environ, "PYTHONUTF8": utf8_mode}
    argv = [sys.executable, "-c", told + code, *arguments]
    return subprocess.run(argv, env=environment, check=True, capture_output=True).stdout


@pytest.mark.parametrize(
    ("encoding", "heard"),
    [
        ("GBK", "雪".encode("gbk")),
        ("ISO-8859-1", b"?"),
        ("UTF-8", "雪".encode()),
        ("ANSI_X3.4-1968", "雪".encode()),
        ("of some system", "雪".encode()),
    ],
)
def test_a_terminal_is_spoken_to_in_its_own_encoding(encoding, heard):
    assert said(SAY, encoding) == heard


@pytest.mark.parametrize("utf8_mode", ["0", "1"])
@pytest.mark.parametrize(
    ("encoding", "typed"),
    [("GBK", "说你好".encode("gbk")), ("UTF-8", "说你好".encode()), ("ascii", "说你好".encode())],
)
def test_what_is_typed_there_is_understood(encoding, typed, utf8_mode):
    assert said(ASKED, encoding, typed, utf8_mode=utf8_mode) == "说你好".encode()
