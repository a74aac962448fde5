"""Everything exact about a model on this computer, for Details: files, maker, licence, numbers.

Labels are translated; names and numbers are as the files say.
"""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from engine.types.library import InstalledModel
from ui.models.page_values import Listed
from ui.plan_details import details
from ui.size_words import space

translate = QCoreApplication.translate


def model_details(listed: Listed) -> str:
    line = translate("Details", "{label}: {value}")
    rows = [line.format(label=label, value=value) for label, value in _rows(listed.model)]
    plan = details(listed.plan, None) if listed.plan is not None else ""
    return "\n".join([*rows, *([plan] if plan else [])])


def _rows(model: InstalledModel) -> Iterator[tuple[str, str]]:
    yield translate("Details", "File"), str(model.path)
    if len(model.files) > 1:
        yield translate("Details", "Files"), ", ".join(path.name for path in model.files)
    if model.missing:
        yield translate("Details", "Missing"), ", ".join(model.missing)
    yield translate("Details", "Size"), f"{space(model.size_bytes)} ({model.size_bytes} B)"
    yield translate("Details", "Format"), model.format.value
    if model.quantization:
        yield translate("Details", "Quantization"), model.quantization
    facts = model.facts
    if facts is not None:
        yield translate("Details", "Architecture"), facts.architecture
        yield translate("Details", "Parameters"), f"{facts.parameters:,}"
    yield from _origin(model)


def _origin(model: InstalledModel) -> Iterator[tuple[str, str]]:
    manifest = model.manifest
    if manifest is None:
        return
    if manifest.licence:
        yield translate("Details", "Licence"), manifest.licence
    if manifest.origin is not None:
        yield translate("Details", "From"), f"{manifest.origin.hub.address}/{manifest.origin.repo}"
        yield translate("Details", "Version"), manifest.origin.revision
