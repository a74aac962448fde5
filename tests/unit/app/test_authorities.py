"""A file of certificate authorities is looked at before it is trusted."""

import pytest

from app import authorities
from app.authorities import check_authorities
from engine.errors import ServerUntrusted
from tests.servers.authority import Authority


def test_a_file_with_one_is_good(tmp_path):
    check_authorities(Authority(tmp_path).pem)


@pytest.mark.parametrize("content", [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nxx\n"])
def test_a_file_without_is_refused(tmp_path, content):
    file = tmp_path / "some.pem"
    file.write_bytes(content)
    with pytest.raises(ServerUntrusted):
        check_authorities(file)


def test_neither_a_folder_nor_a_missing_nor_a_huge_file_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(authorities, "_LIMIT_BYTES", 100)
    for file in (tmp_path, tmp_path / "missing", Authority(tmp_path).pem):
        with pytest.raises(ServerUntrusted):
            check_authorities(file)
