"""Shows how the model is doing: the pill in the header, and a banner where words are needed."""

from app.events import Event, ModelFailed, ModelLoading, ModelReady, StorageFailed
from engine.types.models import LoadSpec
from ui import messages
from ui.shell.page import Page


class ModelState:
    """Takes the events that belong to no conversation."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._name = ""
        self._told: LoadSpec | None = None
        """The load whose notice was shown: once is enough."""

    def handle(self, event: Event) -> None:
        match event:
            case ModelLoading(name=name):
                self._name = name
                self._page.header.pill.show_loading(name)
            case ModelReady(info=info):
                self._page.header.pill.show_ready(self._name or info.name)
                self._page.banner.drop("model")
                if info.spec != self._told:
                    self._told = info.spec
                    self._tell("notice", event)
            case ModelFailed():
                self._page.header.pill.show_nothing()
                self._tell("model", event)
            case StorageFailed():
                self._tell("storage", event)
            case _:
                pass

    def _tell(self, key: str, event: Event) -> None:
        message = messages.of_event(event)
        if message is None:
            self._page.banner.drop(key)
        else:
            self._page.banner.put(key, message)
