"""START-HERE.html: one file that needs no network and no script, and lists only what is there.

Pure: equal contents give an equal page. Every name goes through `escape`.
"""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from devenv.places import ROOT
from kit.contents import LICENCES, MODELS, PACKS, Contents, KitFile
from kit.models import KitModel
from kit.words import HERE, LANGUAGES, Words
from macos.info import FLOOR
from release import sums

_SYSTEMS = ("windows", "macos", "linux")
_POWERSHELL = (
    f"Get-Content {sums.NAME} -Encoding UTF8 | ForEach-Object {{ $sum, $name = $_ -split '  ', 2;"
    ' if ((Get-FileHash -LiteralPath $name).Hash -ne $sum) { "damaged: $name" } }'
)


def document(contents: Contents, made_s: int) -> str:
    """The page. `made_s` is the time of the kit, in seconds since 1970."""
    words = [Words(language) for language in LANGUAGES]
    date = datetime.fromtimestamp(made_s, UTC).strftime("%Y-%m-%d")
    sections = "\n".join(_section(contents, said, date) for said in words)
    links = "".join(
        f'<a href="#{said.language}" lang="{said.language}">{said.plain("language")}</a>'
        for said in words
    )
    # `default-src 'none'`: even a name that were no name could load and run nothing.
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Snug {escape(contents.version)}</title>
<style>
{_style()}</style>
</head>
<body>
<header>{_logo()}<span class="name">Snug</span><nav>{links}</nav></header>
<main>
{sections}
</main>
</body>
</html>
"""


def _style() -> str:
    tokens = json.loads((ROOT / "resources" / "tokens.json").read_text(encoding="utf-8"))
    text = (HERE / "page.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\(--(\w+)\)", text))
    for theme in ("light", "dark"):
        colours = tokens["themes"][theme]
        listed = " ".join(f"--{name}: {colours[name]};" for name in sorted(used))
        text = text.replace(f"@{theme.upper()}@", listed)
    return text


def _logo() -> str:
    svg = (ROOT / "resources" / "logo" / "snug.svg").read_text(encoding="utf-8")
    return re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL).strip()


def _section(contents: Contents, words: Words, date: str) -> str:
    made = words.plain("made", version=contents.version, date=date)
    parts = [
        f"<h1>{words.plain('title')}</h1>",
        f'<p class="lead">{words.html("lead")}</p>',
        f"<h2>{words.plain('which')}</h2>",
        *(_system(contents, system, words) for system in _SYSTEMS),
        _models(contents, words),
        _packs(contents, words),
        _check(contents, words),
        _licences(contents, words),
        f'<footer class="quiet">{made}</footer>',
    ]
    body = "\n".join(filter(None, parts))
    return f'<section id="{words.language}" lang="{words.language}">\n{body}\n</section>'


def _system(contents: Contents, system: str, words: Words) -> str:
    """A card for a system that there is an installer of; "" for another."""
    files = [file for file in contents.installers if file.system == system]
    if not files:
        return ""
    body = _linux(files, words) if system == "linux" else _one_click(files, system, words)
    return f'<div class="card">\n<h3>{words.plain(system)}</h3>\n{body}\n</div>'


def _one_click(files: Sequence[KitFile], system: str, words: Words) -> str:
    looks = {"windows_2": _smartscreen, "macos_3": _gatekeeper}
    names = " / ".join(map(_name, files))
    steps = []
    for key in ("windows_1", "windows_2", "windows_3", "macos_1", "macos_2", "macos_3", "macos_4"):
        if key.startswith(system):
            picture = looks[key](words) if key in looks else ""
            steps.append(f"<li>{words.html(key, file=names)}{picture}</li>")
    oldest = ".".join(map(str, FLOOR))
    needs = f'<p class="quiet">{words.plain(f"{system}_needs", oldest=oldest)}</p>'
    return f"{needs}\n{_steps(steps)}"


def _steps(steps: Sequence[str]) -> str:
    return "<ol>\n" + "\n".join(steps) + "\n</ol>"


def _smartscreen(words: Words) -> str:
    """The window that stands in the way, in words."""
    return (
        f'<figure><p class="title">{words.plain("smartscreen_title")}</p>'
        f"<p>{words.plain('smartscreen_text')} <u>{words.plain('smartscreen_first')}</u></p>"
        f'<p class="keys"><span class="key press">{words.plain("smartscreen_then")}</span></p>'
        "</figure>"
    )


def _gatekeeper(words: Words) -> str:
    return (
        f'<figure><p class="title">{words.plain("gatekeeper_title")}</p>'
        f'<p class="keys"><span class="key">{words.plain("gatekeeper_first")}</span>'
        f'<span class="key press">{words.plain("gatekeeper_then")}</span></p></figure>'
    )


def _linux(files: Sequence[KitFile], words: Words) -> str:
    typed = {".deb": "sudo dpkg -i {}", ".rpm": "sudo rpm -U {}"}
    parts = []
    for file in sorted(files, key=lambda file: (".deb", ".rpm", ".appimage").index(file.kind)):
        key = f"linux_{file.kind[1:]}"
        parts.append(f"<h4>{words.plain(key)}</h4>")
        parts.append(f"<p>{words.html(f'{key}_1', file=_name(file))}</p>")
        if file.kind in typed:
            parts.append(_command(typed[file.kind].format(_quoted(file.name))))
            parts.append(f"<p>{words.html('linux_open')}</p>")
    return "\n".join(parts)


def _models(contents: Contents, words: Words) -> str:
    if not contents.models:
        return ""
    systems = {file.system for file in contents.installers}
    ways = [words.html("models_windows")] if "windows" in systems else []
    if others := [words.plain(system) for system in _SYSTEMS[1:] if system in systems]:
        folder = f'<a href="{MODELS}/">{MODELS}</a>'
        named = words.plain("and").join(others)
        ways.append(words.html("models_other", systems=named, folder=folder))
    listed = "\n".join(_model(model, words) for model in contents.models)
    return "\n".join(
        (
            f"<h2>{words.plain('models')}</h2>",
            f"<p>{words.html('models_lead')}</p>",
            *(f"<p>{way}</p>" for way in ways),
            f"<p>{words.html('models_fit')}</p>",
            f'<ul class="models">\n{listed}\n</ul>',
        )
    )


def _model(model: KitModel, words: Words) -> str:
    facts = [
        (words.plain("model_size"), escape(_size(model.size_bytes))),
        (words.plain("model_memory"), words.plain("model_memory_gb", gb=model.memory_gb)),
        (words.plain("model_licence"), escape(model.licence) or words.plain("model_no_licence")),
    ]
    listed = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    files = ", ".join(escape(path.name) for path in model.files)
    return (
        f'<li class="card"><h3>{escape(model.name)}</h3><p>{_use(model, words)}</p>'
        f'<dl>{listed}</dl><p class="quiet">{MODELS}/{files}</p></li>'
    )


def _use(model: KitModel, words: Words) -> str:
    if not model.talks:
        return words.plain("model_not_for_talking")
    if model.purpose is None:
        return words.plain("model_unknown")
    return words.purpose(model.purpose)


def _size(size_bytes: int) -> str:
    """As the window says it: thousands, as on the packaging of sticks."""
    return f"{size_bytes / 1e9:.1f} GB" if size_bytes >= 999.5e6 else f"{size_bytes / 1e6:.0f} MB"


def _packs(contents: Contents, words: Words) -> str:
    if not contents.packs:
        return ""
    parts = [f"<h2>{words.plain('packs')}</h2>", f"<p>{words.html('packs_lead')}</p>"]
    if any("-windows-" in pack.name for pack in contents.packs):
        parts.append(f"<p>{words.html('packs_windows')}</p>")
    if linux := [pack for pack in contents.packs if "-linux-" in pack.name]:
        folder, names = f'<a href="{PACKS}/">{PACKS}</a>', " / ".join(map(_name, linux))
        parts.append(f"<p>{words.html('packs_linux', folder=folder, file=names)}</p>")
    return "\n".join(parts)


def _check(contents: Contents, words: Words) -> str:
    commands = {
        "windows": _POWERSHELL,
        "macos": f"shasum -a 256 -c {sums.NAME}",
        "linux": f"sha256sum --quiet -c {sums.NAME}",
    }
    systems = {file.system for file in contents.installers}
    lines = [
        f'<p class="quiet">{words.plain(f"check_{system}")}</p>\n{_command(commands[system])}'
        for system in _SYSTEMS
        if system in systems
    ]
    return "\n".join(
        (
            f"<h2>{words.plain('check')}</h2>",
            f"<p>{words.html('check_lead')}</p>",
            *lines,
            f"<p>{words.html('check_true')}</p>",
        )
    )


def _licences(contents: Contents, words: Words) -> str:
    key = "licences_lead" if contents.models else "licences_lead_without_models"
    folder = f'<a href="{LICENCES}/">{LICENCES}</a>'
    return f"<h2>{words.plain('licences')}</h2>\n<p>{words.html(key, folder=folder)}</p>"


def _name(file: KitFile) -> str:
    """No link: a browser would download what it leads to, away from the models and packs."""
    return f'<span class="file">{escape(file.name.rpartition("/")[2])}</span>'


def _command(text: str) -> str:
    """Words stay whole on narrow pages: a line that ends after a hyphen is typed wrongly."""
    whole = re.sub(r"(\S+)", r"<span>\1</span>", escape(text, quote=False))
    return f"<pre>{whole}</pre>"


def _quoted(name: str) -> str:
    """For a shell of any system, where the name is not plain; a stick's names have no quotes."""
    return name if re.fullmatch(r"[\w.+/-]+", name, re.ASCII) else f"'{name}'"
