"""Which block lies where: place 0 is main memory, then one place for each device of a layout.

As llama.cpp assigns them (`get_layer_buft_list` in src/llama-model.cpp): the last blocks go to
the devices, in order, and everything before them stays in main memory. Pure.
"""

from engine.types.plans import Layout


def places(layout: Layout) -> int:
    return 1 + len(layout.backends)


def place_of_layers(layers: int, layout: Layout) -> tuple[int, ...]:
    """The place of each of `layers` blocks."""
    on_devices = [
        place
        for place, count in enumerate(layout.device_layers[: len(layout.backends)], start=1)
        for _ in range(min(max(count, 0), layers))
    ]
    in_ram = max(layers - len(on_devices), 0)
    return tuple([0] * in_ram + on_devices[:layers])


def output_place(layout: Layout) -> int:
    """The output head goes to the last device, or stays in main memory."""
    return len(layout.backends) if layout.output_on_device else 0
