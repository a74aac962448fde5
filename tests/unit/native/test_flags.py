"""One set of flags a system; an id that changes with whatever changes the libraries."""

import pytest

from native.flags import Target, arguments, build_id, this_target

LINUX = Target(system="linux", architecture="x86_64")
MAC = Target(system="darwin", architecture="arm64")
INTEL_MAC = Target(system="darwin", architecture="x86_64")
WINDOWS = Target(system="win32", architecture="x86_64")
WINDOWS_ARM = Target(system="win32", architecture="arm64")


def flag(name: str, target: Target, *, vulkan: bool = False) -> str:
    found = [a for a in arguments("1", target, vulkan=vulkan) if a.startswith(f"-D{name}=")]
    return found[-1].partition("=")[2] if found else ""


@pytest.mark.parametrize("target", [LINUX, MAC, INTEL_MAC, WINDOWS, WINDOWS_ARM])
def test_every_build_has_plugins_and_no_openmp(target: Target) -> None:
    assert flag("GGML_BACKEND_DL", target) == "ON"
    assert flag("GGML_NATIVE", target) == "OFF"
    assert flag("GGML_OPENMP", target) == "OFF"


def test_variants_are_built_where_llama_cpp_can() -> None:
    assert flag("GGML_CPU_ALL_VARIANTS", LINUX) == "ON"
    assert flag("GGML_CPU_ALL_VARIANTS", WINDOWS_ARM) == "OFF"


def test_only_apples_own_processors_have_metal() -> None:
    assert flag("GGML_METAL", MAC) == "ON"
    assert flag("GGML_METAL", INTEL_MAC) == "OFF"
    assert flag("GGML_VULKAN", MAC, vulkan=True) == ""


def test_a_mac_older_than_the_builders_runs_it() -> None:
    assert flag("CMAKE_OSX_DEPLOYMENT_TARGET", MAC) == "13.3"
    assert flag("CMAKE_OSX_DEPLOYMENT_TARGET", LINUX) == ""


def test_a_build_with_vulkan_can_be_mixed_with_one_without() -> None:
    ids = {flag("SNUG_BUILD_ID", LINUX, vulkan=vulkan) for vulkan in (True, False)}
    assert ids == {build_id("1", LINUX)}


def test_another_version_system_or_processor_is_another_build() -> None:
    targets = (LINUX, MAC, INTEL_MAC, WINDOWS, WINDOWS_ARM)
    ids = {build_id(version, target) for version in ("1", "2") for target in targets}
    assert len(ids) == 2 * len(targets)


def test_this_system_is_named_as_the_flags_name_it() -> None:
    assert this_target().architecture in ("x86_64", "arm64")
