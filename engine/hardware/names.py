"""What a device's name gives away, and how to tell one card under two names. Pure."""

import re
import unicodedata

_LONGEST = 120
_SOFTWARE = re.compile(
    r"llvmpipe|softpipe|lavapipe|swrast|swiftshader|software rasterizer|microsoft basic render"
    r"|\bwarp\b|virgl|virtio|virtgpu|venus|svga3d|vmware|virtualbox|parallels|\bqxl\b|bochs"
    r"|microsoft remote display|\bpocl\b|portable computing language|oclgrind",
    re.IGNORECASE,
)
_SHARED = re.compile(
    r"adreno|\bmali\b|powervr|videocore|\bimmortalis\b|intel.*\b(u?hd|iris)\b", re.IGNORECASE
)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_FILLERS = frozenset(
    {"nvidia", "amd", "ati", "intel", "qualcomm", "corporation", "inc", "graphics", "gpu"}
)


def clean(text: str) -> str:
    """Printable, on one line, not too long. Letters of any script stay."""
    kept = (" " if unicodedata.category(c)[0] in "CZ" else c for c in text)
    return " ".join("".join(kept).split())[:_LONGEST].rstrip()


def is_software(description: str) -> bool:
    """A processor, or a virtual machine's stand-in, that poses as a graphics card."""
    return bool(_SOFTWARE.search(description))


def is_shared(description: str) -> bool:
    """Known never to have memory of its own, whatever its backend says."""
    return bool(_SHARED.search(description))


def essence(description: str) -> str:
    """The same for one card under several drivers: "AMD Radeon RX 6700 XT (RADV NAVI22)" and
    "Radeon(TM) RX 6700 XT" are one."""
    words = _IN_BRACKETS.sub(" ", description.lower()).replace(",", " ").split()
    return " ".join(word for word in words if word not in _FILLERS)
