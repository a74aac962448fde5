"""The bill of materials: equal parts give equal bytes, in whatever order they were found."""

import json

from freeze import licences, sbom
from freeze.components import Component


def part(name, licence="MIT", **others):
    purl = f"pkg:pypi/{name}@1"
    return Component(name=name, version="1", licence=licence, purl=purl, texts=(), **others)


PROGRAM = part("snug", "Apache-2.0", kind="application")
PARTS = (part("b"), part("a", "BSD-3-Clause AND MIT"), part("c", "Some licence"))


def test_it_is_cyclonedx():
    body = json.loads(sbom.document(PROGRAM, PARTS, 0))
    assert (body["bomFormat"], body["specVersion"], body["version"]) == ("CycloneDX", "1.6", 1)
    assert body["serialNumber"].startswith("urn:uuid:")
    assert body["metadata"]["timestamp"] == "1970-01-01T00:00:00Z"
    assert [entry["name"] for entry in body["components"]] == ["a", "b", "c"]
    assert body["dependencies"][0]["dependsOn"] == [part.purl for part in sorted(PARTS, key=str)]


def test_licences_are_expressions_or_names():
    entries = json.loads(sbom.document(PROGRAM, PARTS, 0))["components"]
    assert entries[0]["licenses"] == [{"expression": "BSD-3-Clause AND MIT"}]
    assert entries[2]["licenses"] == [{"license": {"name": "Some licence"}}]


def test_equal_parts_give_equal_bytes():
    turned = sbom.document(PROGRAM, reversed(PARTS), 5)
    assert turned == sbom.document(PROGRAM, PARTS, 5)
    assert turned != sbom.document(PROGRAM, PARTS[:2], 5)


def test_a_hash_is_told():
    body = json.loads(sbom.document(PROGRAM, (part("model", sha256="00ff"),), 0))
    assert body["components"][0]["hashes"] == [{"alg": "SHA-256", "content": "00ff"}]


def test_licences_are_copied_and_a_part_without_one_is_told(tmp_path):
    texts = []
    for folder in ("one", "two"):
        text = tmp_path / folder / "LICENSE"
        text.parent.mkdir()
        text.write_text(folder)
        texts.append(text)
    good = Component(name="Lucide icons", version="1", licence="ISC", purl="x", texts=tuple(texts))
    target = tmp_path / "licences"
    assert licences.write(target, (good, part("bare"))) == ["bare"]
    entries = json.loads((target / licences.INDEX).read_text())
    assert entries[0]["files"] == ["Lucide-icons/LICENSE", "Lucide-icons/1-LICENSE"]
    assert (target / entries[0]["files"][1]).read_text() == "two"
