"""What comes late is not heard."""

from ui.settings.ordered import Ordered


class Later:
    """Does the work when the test says so."""

    def __init__(self):
        self.waiting = []

    def __call__(self, work, done, failed):
        self.waiting.append((work, done, failed))

    def do(self):
        work, done, failed = self.waiting.pop(0)
        try:
            result = work()
        except ValueError as error:
            failed(error)
        else:
            done(result)


def fail():
    raise ValueError


def test_of_each_kind_only_the_newest_is_heard():
    run, heard = Later(), []
    ordered = Ordered(run)
    ordered.do("a", lambda: 1, heard.append, heard.append)
    ordered.do("b", lambda: 2, heard.append, heard.append)
    ordered.do("a", lambda: 3, heard.append, heard.append)
    for _ in range(3):
        run.do()
    assert heard == [2, 3]


def test_nothing_is_heard_or_begun_after_the_end():
    run, heard = Later(), []
    ordered = Ordered(run)
    ordered.do("a", fail, heard.append, heard.append)
    ordered.close()
    run.do()
    ordered.do("a", lambda: 1, heard.append, heard.append)
    assert not heard
    assert not run.waiting


def test_a_failure_is_heard_and_what_is_forgotten_is_not():
    run, heard = Later(), []
    ordered = Ordered(run)
    ordered.do("a", fail, heard.append, lambda error: heard.append(type(error)))
    run.do()
    assert heard == [ValueError]
    ordered.do("a", lambda: 1, heard.append, heard.append)
    ordered.forget("a")
    run.do()
    assert heard == [ValueError]
