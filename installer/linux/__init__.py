"""Packages for Linux out of the frozen folder: .deb, .rpm, AppDir with its squashfs."""
