"""What goes into the frozen program and what stays out. Pure.

Sizes are of Linux, measured with PySide6 6.11 (README.md beside this file).
"""

import re
from pathlib import PurePath

ROOTS = ("app", "engine", "ui")
"""All of their modules go in: roles, runtimes and commands are imported by name."""

LEFT_OUT = (
    # Tools and tests that libraries bring along.
    *("tkinter", "setuptools", "pkg_resources", "_distutils_hack", "pip", "pydoc_data", "lib2to3"),
    *("pytest", "unittest", "doctest", "pdb", "test", "distutils", "ensurepip", "venv", "idlelib"),
    # The high-level half of llama-cpp-python, which Snug never runs (engine/runtimes/llamacpp).
    *("llama_cpp.llama", "llama_cpp.llama_chat_format", "llama_cpp.llama_cache"),
    *("llama_cpp.llama_tokenizer", "llama_cpp.llama_grammar", "llama_cpp.llama_speculative"),
    *("llama_cpp.llava_cpp", "llama_cpp.mtmd_cpp", "llama_cpp.server", "llama_cpp._internals"),
    *("llama_cpp._logger", "llama_cpp._utils", "numpy", "diskcache"),
    # ONNX Runtime is an extra: it brings 100 MB.
    *("onnxruntime", "onnxruntime_genai"),
    # The hub's own second way of downloading: it would go out past our one door.
    "hf_xet",
    # Parts of Qt that are no part of Snug.
    *("PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtOpenGL"),
    *("PySide6.QtOpenGLWidgets", "PySide6.QtDesigner", "PySide6.QtTest", "PySide6.QtSql"),
    *("PySide6.QtUiTools", "PySide6.QtHelp", "PySide6.QtPrintSupport", "PySide6.QtConcurrent"),
)

_KEYRINGS = ("SecretService", "kwallet", "libsecret", "Windows", "macOS", "chainer", "fail", "null")
HIDDEN = (
    *(f"keyring.backends.{name}" for name in _KEYRINGS),  # named by entry points only
    *("linkify_it", "llama_cpp.llama_cpp", "llama_cpp._ctypes_extensions", "huggingface_hub"),
)

METADATA = ("llama-cpp-python", "keyring", "huggingface-hub")
"""Packages that are asked for their version or entry points while the program runs."""

LANGUAGES = ("zh_CN",)
"""Of the window, besides English, which is in the source."""

_PLATFORMS = "xcb|wayland|offscreen|windows|cocoa"
_DROPPED = re.compile(
    "|".join(
        (
            # The system's own must be used: an older one makes its graphics drivers unloadable
            # (https://github.com/cemu-project/Cemu/issues/1280).
            r"^lib(stdc\+\+|gcc_s|vulkan|OpenGL|GLX|GLdispatch|GL|EGL|drm|gbm)\.so",
            # Those that every desktop has, and that its drivers and fonts were made with.
            r"^lib(X11|X11-xcb|Xau|Xdmcp|xcb|fontconfig|freetype|expat|z)\.so",
            # OpenMP is never needed, and the first reason for "does not start".
            r"^(lib)?(gomp|iomp5|omp|vcomp140)[\w.-]*\.(so|dll|dylib)",
            # Of Qt: what Widgets and Svg do not use.
            r"Qt6(Network|Qml|Quick|OpenGL|Pdf|VirtualKeyboard|EGLFS|EglFS|EglFs|Test|Sql)\w*\.",
            # The same as frameworks of a Mac, and the links to them.
            r"(^|/)Qt(Network|Qml|Quick|OpenGL|Pdf|VirtualKeyboard|Test|Sql)\w*(\.framework/|$)",
            rf"plugins/platforms/(lib)?q(?!({_PLATFORMS}))",
            r"plugins/(tls|networkinformation|generic|egldeviceintegrations|sqldrivers|printsupport)/",
            r"plugins/(platforminputcontexts/(lib)?qtvirtualkeyboard)",
            r"plugins/imageformats/(lib)?q(tiff|tga|wbmp|icns|pdf|webp)",
            r"plugins/platformthemes/libqgtk3",
            r"plugins/(wayland-graphics-integration|xcbglintegrations)",  # Widgets paint without GL
            r"opengl32sw\.dll$",
            # Links of the build's own machine, and lists of installed files.
            r"\.dist-info/(direct_url\.json|RECORD|INSTALLER|REQUESTED|WHEEL)$",
            r"^llama_cpp/lib/(cmake|pkgconfig)/",
            r"^(?!PySide6/|shiboken6/|llama_cpp/).*\.(pyi|pyx|pxd)$",
        )
    )
)
_TRANSLATION = re.compile(r"PySide6/Qt/translations/|PySide6/translations/")
_KEPT_TRANSLATION = re.compile(rf"/qtbase_({'|'.join(LANGUAGES)})\.qm$")
_LIBRARY = re.compile(r"(?:lib)?(ggml|llama)[\w.-]*\.(?:so|dll|dylib)")


def is_engine_library(name: str) -> bool:
    """Of those in `llama_cpp/lib`: the engine and its plug-ins."""
    return bool(_LIBRARY.fullmatch(name))


def is_dropped(destination: str) -> bool:
    """Whether a file that was collected for this place in the program stays out."""
    place = PurePath(destination).as_posix().replace("\\", "/")
    if _TRANSLATION.search(place):
        return not _KEPT_TRANSLATION.search(place)
    return bool(_DROPPED.search(place))
