"""The builder and the signer: the same bytes from the same files, and nothing that Snug refuses."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from engine.errors import PackRefused
from engine.packs import keys
from packs import __main__ as program
from packs import build, cuda, sign
from tests.forged_packs import KEY, contents, facts, importer, made

ROOT = Path(__file__).resolve().parents[3]


def folder_of(where: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_bytes(data)
    return where


def test_a_pack_is_a_plain_zip_with_the_manifest_first(tmp_path):
    pack = made(tmp_path, contents())
    assert pack.name == "snug-1.0-linux-x86_64-cuda13.pack"
    with zipfile.ZipFile(pack) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [
            "manifest.json", "manifest.sig", "libcudart.so.13", "libcublasLt.so.13",
            "libggml-cuda.so", "licences/EULA.txt",
        ]  # fmt: skip


def test_the_same_files_give_the_same_pack(tmp_path):
    first = made(tmp_path, contents()).read_bytes()
    os.utime(tmp_path / "content" / "libcudart.so.13", (1, 1))
    assert (
        sign.sign(build.build(tmp_path / "content", facts(), tmp_path), KEY).read_bytes() == first
    )


def test_what_was_changed_before_it_was_signed_is_not_signed(tmp_path):
    unsigned = build.build(folder_of(tmp_path / "content", contents()), facts(), tmp_path)
    with zipfile.ZipFile(unsigned, "a") as archive:
        archive.writestr("evil.so", b"x")
    with pytest.raises(PackRefused, match="unlisted_file"):
        sign.sign(unsigned, KEY)
    other = folder_of(tmp_path / "other", contents("other!!"))
    with zipfile.ZipFile(unsigned) as archive:
        manifest = archive.read("manifest.json")
    build.writing.write(
        unsigned, manifest, b"", build._manifest(other, facts()).files,
        lambda file: build.writing.pieces(other / file.path),
    )  # fmt: skip
    with pytest.raises(build.PackMistake, match="not what the manifest says"):
        sign.sign(unsigned, KEY)


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({"libcudart.so.13": b"x"}, "no plug-in"),
        ({"libggml-cuda.so": b"x", "con.txt": b"x"}, "name_reserved"),
        ({"libggml-cuda.so": b"x", ".hidden": b"x"}, "name_forbidden"),
    ],
)
def test_what_snug_would_refuse_is_not_even_built(tmp_path, files, error):
    folder = folder_of(tmp_path / "content", files)
    with pytest.raises((build.PackMistake, PackRefused), match=error):
        build.build(folder, facts(first=()), tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_links_and_missing_libraries_are_mistakes(tmp_path):
    folder = folder_of(tmp_path / "content", contents())
    with pytest.raises(build.PackMistake, match="is not there"):
        build.build(folder, facts(first=("libcublas.so.13",)), tmp_path)
    (folder / "link.so").symlink_to(folder / "libcudart.so.13")
    with pytest.raises(build.PackMistake, match="a link"):
        build.build(folder, facts(), tmp_path)


def test_a_key_is_kept_from_others_and_never_replaced(tmp_path, capsys):
    file = tmp_path / "key"
    assert program.main(["key", str(file)]) == 0
    shown = capsys.readouterr().out.split()
    key = sign.read_key(file.read_text())
    assert shown == [sign.key_id(key), sign.public_bytes(key).hex()]
    if os.name == "posix":
        assert file.stat().st_mode & 0o077 == 0
    assert program.main(["key", str(file)]) == 1
    assert sign.public_bytes(sign.read_key(file.read_text())) == sign.public_bytes(key)


def test_the_program_signs_with_a_trusted_key_only(tmp_path, monkeypatch, capsys):
    """The whole way: a key, a folder, a pack that Snug imports."""
    folder = folder_of(tmp_path / "content", contents())
    unsigned = build.build(folder, facts(), tmp_path)
    monkeypatch.setenv(sign.KEY, KEY.private_bytes_raw().hex())
    assert program.main(["sign", str(unsigned)]) == 1
    assert sign.key_id(KEY) in capsys.readouterr().err
    assert program.main(["sign", str(unsigned), "--any-key"]) == 0
    pack = Path(capsys.readouterr().out.strip())
    assert importer(tmp_path / "backends").run(pack).pack_id == "cuda13"
    monkeypatch.setenv(sign.KEY, "secret")
    assert program.main(["sign", str(unsigned)]) == 1
    assert "secret" not in capsys.readouterr().err


def test_the_program_names_the_pack_after_this_checkout(tmp_path, capsys):
    plugin = {"linux": "libggml-cuda.so", "win32": "ggml-cuda.dll"}.get(sys.platform)
    if plugin is None:
        pytest.skip("there are no packs for this system")
    folder = folder_of(tmp_path / "content", {plugin: b"x"})
    words = ["--pack-id", "cuda13", "--backend", "cuda", "--licence", "MIT"]
    assert program.main(["build", str(folder), "--into", str(tmp_path), *words]) == 0
    assert Path(capsys.readouterr().out.strip()).name.endswith("-cuda13.pack.unsigned")


def test_the_trusted_keys_are_two_and_named_rightly():
    assert len(keys.TRUSTED) == 2
    for key_id, key in keys.TRUSTED.items():
        assert len(key) == 32
        assert key_id == build.writing.hashlib.sha256(key).hexdigest()[:16]


def test_the_plug_in_is_compiled_with_the_engines_own_flags(tmp_path):
    words = cuda.configuration(tmp_path, "linux")
    assert {"-DGGML_CUDA=ON", "-DGGML_BACKEND_DL=ON", "-DGGML_OPENMP=OFF"} <= set(words)
    assert any(word.startswith("-DSNUG_BUILD_ID=") for word in words)
    assert any(word.startswith("-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=") for word in words)


def test_what_goes_into_the_pack_is_collected(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    toolkit = tmp_path / "toolkit" / "nvidia" / "cu13"
    names = {f"lib/{name}": b"x" for name in cuda.LIBRARIES["linux"]}
    folder_of(toolkit, names)
    licence = "nvidia_cuda_runtime-13.3.29.dist-info/licenses/License.txt"
    folder_of(tmp_path / "toolkit", {licence: b"EULA"})
    folder_of(tmp_path / "build", {"bin/libggml-cuda.so": b"x"})
    source = folder_of(tmp_path / "source", {"LICENSE": b"MIT"})
    cuda._collect(toolkit, source, tmp_path / "build", tmp_path / "content")
    found = {path.name for path in (tmp_path / "content").rglob("*") if path.is_file()}
    licences = {"CUDA-EULA.txt", "llama.cpp-MIT.txt"}
    assert found == {*cuda.LIBRARIES["linux"], "libggml-cuda.so", *licences}
    (tmp_path / "build" / "bin" / "libggml-cuda.so").unlink()
    with pytest.raises(SystemExit):
        cuda._collect(toolkit, source, tmp_path / "build", tmp_path / "again")


def test_what_signs_is_locked():
    done = subprocess.run(
        [sys.executable, "-m", "packs.needs"], cwd=ROOT, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "packaging")},
    )  # fmt: skip
    assert "cryptography==" in done.stdout
    assert "--hash=sha256:" in done.stdout
    assert "llama" not in done.stdout
