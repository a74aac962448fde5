"""The .rpm, from the same files as the .deb. Asks for libraries by their names, which every
distribution understands; rpm's own guessing is off, since it would ask for what we bring.

No scriptlets: on Fedora and openSUSE the packages that keep the caches (desktop-file-utils,
shared-mime-info, gtk-update-icon-cache) have file triggers on /usr/share, also for removing.
"""

import shutil
from pathlib import Path

from devenv import commands
from linux import needs, tree
from linux.tree import Release

_SPEC = """\
Name: snug
Version: {version}
Release: 1
Summary: A private assistant that fits your computer
License: Apache-2.0
Group: Applications/Productivity
Packager: {maintainer}
AutoReqProv: no
{requires}
Recommends: libvulkan.so.1()(64bit)
%global __os_install_post %{{nil}}
%global debug_package %{{nil}}
%global _build_id_links none
%global _binary_payload w10.zstdio
%global _buildhost snug
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1

%description
You ask, it answers, and everything stays on your own computer: no account,
no internet, nothing to set up. A small starter model comes along.

%install
mkdir -p %{{buildroot}}
cp -a "{root}/." %{{buildroot}}/

%files
%defattr(-,root,root,-)
{files}

%changelog
* {day} {maintainer} - {version}-1
- What changed for people is told in the window and by the software centre.
"""


def build(frozen: Path, work: Path, into: Path, release: Release) -> Path:
    root, top = work / "rpm-root", work / "rpm"
    tree.lay_out(frozen, root, release)
    shutil.rmtree(top, ignore_errors=True)
    top.mkdir(parents=True)
    spec = top / "snug.spec"
    spec.write_text(_spec(root, needs.from_system(frozen), release), encoding="utf-8")
    argv: list[str | Path] = [
        "rpmbuild",
        "-bb",
        "--define",
        f"_topdir {top}",
        "--target",
        "x86_64",
        spec,
    ]
    fixed = commands.environment(SOURCE_DATE_EPOCH=str(release.made_s))
    commands.run(argv, "building the rpm", env=fixed)
    built = next(top.rglob("*.rpm"))
    into.mkdir(parents=True, exist_ok=True)
    return Path(shutil.move(built, into / built.name))


def _spec(root: Path, libraries: tuple[str, ...], release: Release) -> str:
    requires = "\n".join(f"Requires: {name}" for name in needs.rpm_requires(libraries))
    ours = [f'%dir "/{path.relative_to(root)}"' for path in _own_folders(root)]
    ours += [f'"/{path.relative_to(root)}"' for path in tree.files_of(root)]
    return _SPEC.format(
        version=release.version,
        maintainer=tree.MAINTAINER,
        day=release.made.strftime("%a %b %d %Y"),
        requires=requires,
        root=root,
        files="\n".join(ours),
    )


def _own_folders(root: Path) -> list[Path]:
    """Those that no other package has: what is not listed stays when Snug is removed."""
    tops = [root / tree.PROGRAM, root / "usr" / "share" / "doc" / "snug"]
    return sorted(path for top in tops for path in (top, *top.rglob("*")) if path.is_dir())
