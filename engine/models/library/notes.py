"""What lies beside a model that somebody takes along: checksums for any program, and a word for
whoever finds the folder. These words are no translations of a window's: both languages stand in one
file, since nobody knows who will read it. Pure."""

from typing import Final

from engine.models.library.manifest import NAME
from engine.types.library import Manifest

CHECKSUMS: Final = "SHA256SUMS"
READ_ME: Final = "READ-ME.txt"
NOTES: Final = (NAME, CHECKSUMS, READ_ME)
"""Files of ours that go with a model."""

_GIB = 1 << 30


def checksums(manifest: Manifest) -> str:
    """As `sha256sum -c` reads it."""
    return "".join(f"{file.sha256}  {file.name}\n" for file in manifest.files)


def read_me(manifest: Manifest) -> str:
    """With Windows' line ends, which every editor knows."""
    text = "\n".join(_in_one_language(manifest, body, facts) for body, facts in _LANGUAGES)
    return text.replace("\n", "\r\n")


def _in_one_language(manifest: Manifest, body: str, facts: tuple[str, str, str]) -> str:
    size_gib = sum(file.size_bytes for file in manifest.files) / _GIB
    origin = manifest.origin.repo if manifest.origin is not None else ""
    told = zip(facts, (f"{size_gib:.2f}", origin, manifest.licence), strict=True)
    lines = [line.format(value) for line, value in told if value]
    return "\n".join([manifest.name, "======", body, *lines, ""])


_ENGLISH = """\
This folder holds a language model: the part of an assistant that reads and writes. It works with
Snug, a private assistant that runs on your own computer and needs no internet.

How to use it
1. Start Snug on the other computer.
2. Drop this whole folder onto Snug's window.
3. Snug copies the model and checks every byte. After that this folder or stick is no longer
   needed.

Please leave the files in this folder as they are. SHA256SUMS and snug-model.json say what each of
them should be.
"""

_CHINESE = """\
这个文件夹里是一个语言模型，也就是助手用来阅读和写作的部分。它配合 Snug 使用。
Snug 是一个在您自己的电脑上运行的私人助手，不需要联网。

使用方法
1. 在另一台电脑上打开 Snug。
2. 把整个文件夹拖到 Snug 的窗口上。
3. Snug 会复制这个模型并检查每个字节。完成后就不再需要这个文件夹或 U 盘了。

请不要改动文件夹里的文件。SHA256SUMS 和 snug-model.json 记录了每个文件应有的内容。
"""

_LANGUAGES: Final = (
    (_ENGLISH, ("Size: {} GiB", "From: {}", "Licence: {}")),
    (_CHINESE, ("大小：{} GiB", "来源：{}", "许可证：{}")),
)
"""What is said, and the lines of what is known of a model."""
