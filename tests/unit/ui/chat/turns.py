"""Turns for tests, and a page of hard Markdown."""

from datetime import UTC, datetime

from app.conversations.values import Turn, TurnState
from engine.types.chat import Role

HARD = """\
1. one
   - two
     1. three
        - four with `code`

     ```py
     x = 1  # in a list
     ```

   | a | b |
   |---|--:|
   | in a list | 2 |

2. | not | a table

| Code | Escaped | HTML |
|------|:-------:|------|
| `1 | x` | a \\| b | one<br>two |
| too | many | cells | here |
| few |

> quote
> - list in quote
>   > deeper
lazy line

- [x] done
- [ ] to do

A footnote[^1] and <b>raw</b> <script>alert(1)</script>.

[^1]: the note itself

***

See https://example.org/a_(b), (https://example.org/c) and www.example.org.
![a cat](https://example.org/cat.png) ![local](file:///etc/passwd)
[bad](javascript:alert(1)) [ftp](ftp://x.org) <mailto:a@b.org>

    indented code

~~~
never closed
"""


def turn(
    position: int, text: str, *, role: Role | None = None, state: TurnState = TurnState.COMPLETE
) -> Turn:
    """Even positions are the person's."""
    return Turn(
        id=f"t{position}",
        conversation_id="c",
        position=position,
        role=role or (Role.ASSISTANT if position % 2 else Role.USER),
        text=text,
        state=state,
        model="",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def writing(position: int, text: str = "") -> Turn:
    return turn(position, text, role=Role.ASSISTANT, state=TurnState.PARTIAL)
