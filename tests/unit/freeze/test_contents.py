"""What is frozen: the engine whole, Qt without what a window does not need."""

import pytest

from freeze import contents


@pytest.mark.parametrize(
    "place",
    [
        "libstdc++.so.6",
        "libgcc_s.so.1",
        "libvulkan.so.1",
        "libgomp.so.1",
        "libX11.so.6",
        "libQt6Network.so.6",
        "PySide6/Qt/lib/libQt6OpenGL.so.6",
        "PySide6/Qt/lib/libQt6EglFsKmsSupport.so.6",
        "PySide6/Qt/plugins/platforms/libqvnc.so",
        "PySide6/Qt/plugins/platforms/libqminimal.so",
        "PySide6/plugins/platforms/qdirect2d.dll",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6/Qt/translations/qt_zh_CN.qm",
        "PySide6/opengl32sw.dll",
        "PySide6/Qt/lib/QtNetwork.framework/Versions/A/QtNetwork",
        "PySide6/Qt/lib/QtNetwork.framework/Versions/Current",
        "PySide6/Qt/lib/QtQmlModels.framework/Resources",
        "QtNetwork",
        "PySide6/Qt/plugins/platforms/libqminimal.dylib",
        "llama_cpp_python-0.3.36.dist-info/direct_url.json",
        "keyring-25.7.0.dist-info/RECORD",
    ],
)
def test_left_out(place):
    assert contents.is_dropped(place)


@pytest.mark.parametrize(
    "place",
    [
        "libxcb-cursor.so.0",
        "libssl.so.3",
        "PySide6/Qt/lib/libQt6XcbQpa.so.6",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/Qt/plugins/platforms/libqwayland-egl.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
        "PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore",
        "PySide6/Qt/lib/QtDBus.framework/Versions/A/Resources/Info.plist",
        "QtWidgets",
        "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "PySide6/Qt/translations/qtbase_zh_CN.qm",
        "keyring-25.7.0.dist-info/entry_points.txt",
        "llama_cpp/lib/libggml-vulkan.so",
    ],
)
def test_kept(place):
    assert not contents.is_dropped(place)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("libllama.so", True),
        ("libggml-cpu-zen4.so", True),
        ("ggml-vulkan.dll", True),
        ("libggml-metal.so", True),
        ("libllama.dylib", True),
        ("cmake", False),
        ("libggml.pc", False),
    ],
)
def test_the_engines_libraries(name, is_one):
    assert contents.is_engine_library(name) == is_one
