"""How fast memory is read where nothing was measured: published bandwidths, by description. Pure.

Graphics chips: the makers' data sheets, in GB a second; a name that is not here gets a low
default. Processors: what decoding really reaches. Its anchors are an N100 (8 billion weights in
Q4_K_M, 4.7 GB, 3.0 tokens a second: brand-o/normiebench#38), a 13900K with DDR5-6400 (7B at 18.3
tokens a second: llama.cpp#34) and the two cores of a server that this was written on.
"""

import re
from dataclasses import replace

from engine.models.ggml_types import TENSOR_TYPES
from engine.types.hardware import Cpu, Device, DeviceKind, Speed

GIGA = 1e9

_APPLE = (
    *(("m1 ultra", 800), ("m1 max", 400), ("m1 pro", 200), ("m1", 68)),
    *(("m2 ultra", 800), ("m2 max", 400), ("m2 pro", 200), ("m2", 100)),
    *(("m3 ultra", 819), ("m3 max", 300), ("m3 pro", 150), ("m3", 100)),
    *(("m4 max", 410), ("m4 pro", 273), ("m4", 120)),
    *(("m5 max", 460), ("m5 pro", 307), ("m5", 153)),
)
"""Where one name was sold with two bandwidths, the lower one."""

_GRAPHICS = (
    *(("5090 laptop", 896), ("5090", 1792), ("5080 laptop", 896), ("5080", 960)),
    *(("5070 ti laptop", 672), ("5070 ti", 896), ("5070 laptop", 384), ("5070", 672)),
    *(("5060 ti", 448), ("5060", 384), ("5050", 320)),
    *(("4090 laptop", 576), ("4090", 1008), ("4080 laptop", 432), ("4080", 717)),
    *(("4070 laptop", 256), ("4070 ti super", 672), ("4070", 504)),
    *(("4060 laptop", 256), ("4060 ti", 288), ("4060", 272), ("4050", 192)),
    *(("3090", 936), ("3080 ti laptop", 512), ("3080 laptop", 448), ("3080", 760)),
    *(("3070 laptop", 384), ("3070", 448), ("3060 laptop", 336), ("3060 ti", 448), ("3060", 360)),
    *(("3050 ti", 192), ("3050", 168)),
    *(("2080 ti", 616), ("2080", 448), ("2070", 384), ("2060", 264)),
    *(("1660 ti", 288), ("1660 super", 336), ("1660", 192), ("1650", 128)),
    *(("1080 ti", 484), ("1080", 320), ("1070", 256), ("1060", 192), ("1050", 112)),
    *(("h200", 4800), ("h100", 2000), ("a100", 1555), ("l40", 864), ("rtx 6000 ada", 960)),
    *(("rtx 2000 ada", 224), ("rtx 4000 ada", 360), ("a6000", 768), ("a4000", 448)),
    *(("tesla t4", 320), ("p40", 346), ("v100", 900)),
    *(("9070", 640), ("9060", 320), ("7900 xtx", 960), ("7900 xt", 800), ("7900 gre", 576)),
    *(("7800 xt", 624), ("7700 xt", 432), ("7600", 288)),
    *(("6950 xt", 576), ("6900 xt", 512), ("6800", 512), ("6700", 320), ("6650", 280)),
    *(("6600", 224), ("6500", 144), ("5700", 448), ("5600m", 394), ("5500m", 192), ("580", 256)),
    *(("b580", 456), ("b570", 380), ("a770", 512), ("a750", 512), ("a580", 512), ("a380", 186)),
    *(("8060s", 256), ("8050s", 256), ("890m", 120), ("880m", 120), ("780m", 90), ("760m", 90)),
    *(("680m", 76), ("660m", 76), ("gpu 0405", 88), ("gpu 0932", 102), ("vega", 45)),
    *(("130v", 136), ("140v", 136), ("b390", 153), ("x1-85", 135), ("x1-45", 135)),
    *(("arc(tm) graphics", 90), ("iris", 50), ("uhd", 38), ("hd graphics", 30)),
)
_DEFAULT_GBPS = {DeviceKind.GPU: 128, DeviceKind.IGPU: 38, DeviceKind.ACCEL: 38}

_PROCESSORS = (
    (r"\bn(95|97|100|150|200|250)\b|\bi3-n30\d\b", 14.0),
    (r"celeron|pentium|\batom\b|\bj\d{4}\b", 5.0),
    (r"ryzen ai max", 90.0),
    (r"snapdragon", 60.0),
    (r"core.* ultra|ryzen ai", 45.0),
    (r"custom apu", 35.0),
)
_DESKTOP_GBPS = 30.0
"""Two channels of DDR4-3200 are 51 GB a second; about 60 % of them arrive."""
_EMULATED_GBPS = 15.0
_APPLE_PROCESSOR_SHARE, _APPLE_PROCESSOR_GBPS = 0.6, 100.0
"""The cores of an Apple chip can not draw all that its graphics can."""
_CORE_GBPS, _PLAIN_CORE_GBPS = 8.0, 2.0
"""What one core turns over with and without AVX2 or NEON's dot products."""

GUESSED_NODE_S = 1.5e-6
"""What one node of a graph costs on a usual processor."""
_USUAL_TYPE = "Q4_K"
_USUAL_WIDTH = 2048
_BLOCKS = {known.name: known for known in TENSOR_TYPES.values()}
Rates = tuple[tuple[str, float], ...]


def device_bytes_per_s(device: Device) -> float:
    """The published bandwidth of the chip, or a low default for its kind."""
    name = f"{device.description} {device.name}".lower()
    table = _APPLE if "apple" in name else _GRAPHICS
    return GIGA * next((gbps for part, gbps in table if part in name), _DEFAULT_GBPS[device.kind])


def processor_bytes_per_s(cpu: Cpu, threads: int) -> float:
    """What decoding with `threads` threads can be expected to read; rather too low."""
    return GIGA * min(_memory_gbps(cpu), max(threads, 1) * _core_gbps(cpu))


def measured_bytes_per_s(speed: Speed) -> float:
    """What was measured as one number: how fast the most usual weights are read, in the better
    order. 0: nothing was."""
    rates = (with_rows(speed).bytes_per_s, speed.repacked_bytes_per_s)
    return max(dict(rate).get(_USUAL_TYPE, 0.0) for rate in rates)


def with_rows(speed: Speed) -> Speed:
    """The time of rows counted into the rates, for matrices of usual width. Only so do rates of
    two measurements compare: how they are told apart is the least certain part of one."""
    rates = ((name, rate) for name, rate in speed.bytes_per_s if rate > 0)
    whole = tuple((name, 1 / (1 / rate + _row_s(name, speed))) for name, rate in rates)
    return replace(speed, bytes_per_s=whole, row_s=0.0)


def at_least_guessed(speed: Speed, cpu: Cpu) -> Speed:
    """A measurement beside other work is a lower bound of the truth, and so is a guess: the
    higher of both, type by type. How long a look at the cache took is not believed."""
    guess = processor_bytes_per_s(cpu, speed.threads)

    def raised(rates: Rates) -> Rates:
        return tuple((name, max(rate, guess)) for name, rate in rates)

    whole = with_rows(speed)
    return replace(
        whole,
        bytes_per_s=raised(whole.bytes_per_s),
        repacked_bytes_per_s=raised(whole.repacked_bytes_per_s),
        overhead_s=min(speed.overhead_s, GUESSED_NODE_S),
        attention_s=(),
    )


def _row_s(name: str, speed: Speed) -> float:
    """A byte's share of its row's fixed time; only quantised types have one."""
    known = _BLOCKS.get(name)
    if known is None or known.block == 1:
        return 0.0
    return speed.row_s * known.block / (_USUAL_WIDTH * known.block_bytes)


def _memory_gbps(cpu: Cpu) -> float:
    name = cpu.name.lower()
    if cpu.emulated:
        return _EMULATED_GBPS
    if "apple" in name:
        chip = next((gbps for part, gbps in _APPLE if part in name), _APPLE[3][1])
        return min(chip * _APPLE_PROCESSOR_SHARE, _APPLE_PROCESSOR_GBPS)
    return next((gbps for form, gbps in _PROCESSORS if re.search(form, name)), _DESKTOP_GBPS)


def _core_gbps(cpu: Cpu) -> float:
    """Unknown features are taken for a usual machine's; those that are known to lack AVX2 not."""
    quick = not cpu.features or cpu.features & {"avx2", "dotprod", "neon", "asimd"}
    return _CORE_GBPS if quick else _PLAIN_CORE_GBPS
