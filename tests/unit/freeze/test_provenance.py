"""Libraries that came along with dropped parts go too; what stays keeps all it needs."""

from freeze import provenance

NEEDS = {
    "/plugins/xcb": {"libxcb-cursor.so.0", "libQt6Gui.so.6", "libc.so.6"},
    "/lib/cursor": {"libxcb-render.so.0"},
    "/lib/render": set(),
    "/lib/gtk": {"libcairo.so.2"},
    "/lib/cairo": set(),
    "/lib/python": set(),
    "/qt/gui": set(),
}
ENTRIES = [
    ("PySide6/Qt/plugins/platforms/libqxcb.so", "/plugins/xcb", "BINARY"),
    ("PySide6/Qt/lib/libQt6Gui.so.6", "/qt/gui", "BINARY"),
    ("libQt6Gui.so.6", "PySide6/Qt/lib/libQt6Gui.so.6", "SYMLINK"),
    ("libQt6Network.so.6", "PySide6/Qt/lib/libQt6Network.so.6", "SYMLINK"),
    ("libxcb-cursor.so.0", "/lib/cursor", "BINARY"),
    ("libxcb-render.so.0", "/lib/render", "BINARY"),
    ("libgtk-3.so.0", "/lib/gtk", "BINARY"),
    ("libcairo.so.2", "/lib/cairo", "BINARY"),
    ("libpython3.11.so.1.0", "/lib/python", "BINARY"),
]


def test_only_what_is_needed_stays():
    kept = {place for place, _, _ in provenance.needed_only(ENTRIES, NEEDS.__getitem__)}
    assert kept == {
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/lib/libQt6Gui.so.6",
        "libQt6Gui.so.6",
        "libxcb-cursor.so.0",
        "libxcb-render.so.0",
        "libpython3.11.so.1.0",
    }


def test_what_is_written_is_read(tmp_path):
    pure = [("app.chat", "/src/app/chat.py", "PYMODULE")]
    provenance.write(tmp_path / "made" / "collected.json", pure, ENTRIES)
    found = provenance.read(tmp_path / "made" / "collected.json")
    assert found.modules == {"app.chat": "/src/app/chat.py"}
    assert found.files["libcairo.so.2"] == "/lib/cairo"
    assert "libQt6Gui.so.6" not in found.files
