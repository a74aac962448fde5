"""Makes `tiny-onnx`, a model folder of ONNX Runtime GenAI small enough for the repository.

Run by hand in an environment with `onnx` and `numpy`; the result is committed. The model is a
table of which token may follow which, and one true attention layer that decides between the
possible ones: so what it says depends on the whole conversation, and a cache that is wrong is
heard. Letters beyond ASCII take several tokens. Weights come from a fixed seed.
"""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = Path(__file__).parent / "tiny-onnx"
CONTEXT = 4096
HEADS, KV_HEADS, HEAD = 2, 1, 16
WIDTH = HEADS * HEAD
SEED = 7
FOLLOWS, SWAY = 16.0, 0.5
"""How much likelier a possible token is, and how far the conversation may sway it."""

START, END, EOS = "<|im_start|>", "<|im_end|>", "<|endoftext|>"
SPECIAL = (EOS, START, END)
LINES = (
    "The small boat left the old harbour before the sun came up.",
    "A café near the pier sells warm bread and strong tea.",
    "Every child on the island knows a song about the 🦄 in the woods.",
    "My friend says 谢谢 when someone opens a door.",
    "The wind is cold today, but the water is calm and clear.",
    "In the evening people walk along the beach and talk about fish.",
    "An owl sat on the roof and watched the street without a sound.",
    "Some say that the moon is nearer in winter, and I like to think so.",
)
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n'"
    " + message['content'] + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def byte_letters() -> dict[int, str]:
    """GPT-2's printable letter for every byte."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    shifted = {byte: chr(256 + index) for index, byte in enumerate(others)}
    return {byte: chr(byte) for byte in plain} | shifted


LETTERS = byte_letters()
BYTES = {letter: byte for byte, letter in LETTERS.items()}


def written(text: str) -> tuple[str, ...]:
    return tuple(LETTERS[byte] for byte in text.encode())


def words(line: str) -> list[tuple[str, ...]]:
    """As GPT-2's pattern cuts a line of words and marks, letters beyond ASCII apart."""
    pieces: list[str] = []
    for index, part in enumerate(line.replace(".", " .").replace(",", " ,").split()):
        mark = part in (".", ",")
        pieces.append(part if mark or index == 0 else f" {part}")
    return [written(piece) for piece in pieces]


def joinable(pair: tuple[str, str]) -> bool:
    return all(BYTES[letter] < 128 for part in pair for letter in part)


def learn_merges(lines: tuple[str, ...]) -> list[tuple[str, str]]:
    """Pairs to join, the most frequent first, until every ASCII word is one token."""
    texts = [*lines, *(f" {line}" for line in lines), "user", "assistant", "system"]
    held = [list(word) for line in texts for word in words(line)]
    held += [list(written(f" {line.split()[0]}")) for line in lines]
    merges: list[tuple[str, str]] = []
    while pairs := Counter(p for word in held for p in pairwise(word) if joinable(p)):
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        held = [joined(word, best) for word in held]
    return merges


def joined(word: list[str], pair: tuple[str, str]) -> list[str]:
    made: list[str] = []
    for letter in word:
        if made and (made[-1], letter) == pair:
            made[-1] += letter
        else:
            made.append(letter)
    return made


def tokens_of(word: tuple[str, ...], merges: list[tuple[str, str]]) -> list[str]:
    parts = list(word)
    for pair in merges:
        parts = joined(parts, pair)
    return parts


def follow_table(vocabulary: dict[str, int], merges: list[tuple[str, str]]) -> np.ndarray:
    """[token, next token]: how much speaks for it, before the conversation is asked."""
    table = np.zeros((len(vocabulary),) * 2, dtype=np.int8)
    strength = int(FOLLOWS)
    full_stop = vocabulary["."]
    for line in LINES:
        first = [token for word in words(line) for token in tokens_of(word, merges)]
        spaced = tokens_of(written(f" {line.split()[0]}"), merges)
        ids = [vocabulary[token] for token in first]
        table[vocabulary[LETTERS[10]], ids[0]] = strength
        table[full_stop, vocabulary[spaced[0]]] = strength
        for chain in (first, [*spaced, *first[1:]]):
            for token, after in pairwise(chain):
                table[vocabulary[token], vocabulary[after]] = strength
    table[full_stop, vocabulary[END]] = strength
    table[vocabulary[END], vocabulary[EOS]] = strength
    return table


def graph(table: np.ndarray) -> onnx.ModelProto:
    """logits = table[token] + what one layer of grouped-query attention adds."""
    random = np.random.default_rng(SEED)
    size = len(table)

    def weights(name: str, *shape: int, scale: float) -> onnx.TensorProto:
        values = random.normal(0, scale, shape).astype(np.float16)
        return numpy_helper.from_array(values, name)

    stored = [
        numpy_helper.from_array(table, "follows"),
        weights("embed", size, WIDTH, scale=1.0),
        weights("query", WIDTH, WIDTH, scale=0.6),
        weights("key", WIDTH, KV_HEADS * HEAD, scale=0.6),
        weights("value", WIDTH, KV_HEADS * HEAD, scale=0.3),
        weights("out", WIDTH, size, scale=SWAY / 4),
    ]
    angles = 10000.0 ** (-np.arange(0, HEAD, 2) / HEAD)
    small = [
        numpy_helper.from_array(np.arange(CONTEXT, dtype=np.int16).reshape(-1, 1), "places"),
        numpy_helper.from_array(angles.astype(np.float32).reshape(1, -1), "angles"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "one"),
        numpy_helper.from_array(np.array([1], dtype=np.int32), "one32"),
    ]

    def node(kind: str, inputs: list[str], outputs: list[str], **more: object) -> onnx.NodeProto:
        return helper.make_node(kind, inputs, outputs, **more)

    nodes = [
        node("Cast", ["places"], ["places_f"], to=TensorProto.FLOAT),
        node("Mul", ["places_f", "angles"], ["turns"]),
        node("Cos", ["turns"], ["cos"]),
        node("Sin", ["turns"], ["sin"]),
        node("ReduceSum", ["attention_mask", "one"], ["seen"], keepdims=0),
        node("Cast", ["seen"], ["seen32"], to=TensorProto.INT32),
        node("Sub", ["seen32", "one32"], ["last"]),
        node("Shape", ["attention_mask"], ["mask_shape"]),
        node("Gather", ["mask_shape", "one"], ["total1"]),
        node("Squeeze", ["total1"], ["total64"]),
        node("Cast", ["total64"], ["total"], to=TensorProto.INT32),
        node("Gather", ["embed", "input_ids"], ["x16"]),
        node("Cast", ["x16"], ["x"], to=TensorProto.FLOAT),
    ]
    nodes += [
        node("Cast", [name], [f"{name}_f"], to=TensorProto.FLOAT)
        for name in ("query", "key", "value", "out")
    ]
    nodes += [
        node("MatMul", ["x", f"{name}_f"], [f"{name}_x"]) for name in ("query", "key", "value")
    ]
    nodes += [
        node(
            "GroupQueryAttention",
            [
                "query_x",
                "key_x",
                "value_x",
                "past_key_values.0.key",
                "past_key_values.0.value",
                "last",
                "total",
                "cos",
                "sin",
            ],
            ["attended", "present.0.key", "present.0.value"],
            domain="com.microsoft",
            num_heads=HEADS,
            kv_num_heads=KV_HEADS,
            do_rotary=1,
        ),
        node("MatMul", ["attended", "out_f"], ["sway"]),
        node("Gather", ["follows", "input_ids"], ["row8"]),
        node("Cast", ["row8"], ["row"], to=TensorProto.FLOAT),
        node("Add", ["row", "sway"], ["logits"]),
    ]

    def value(name: str, kind: int, *shape: object) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, shape)

    def cache(name: str, length: str) -> list[onnx.ValueInfoProto]:
        shape = ("batch", KV_HEADS, length, HEAD)
        return [value(f"{name}.0.{part}", TensorProto.FLOAT, *shape) for part in ("key", "value")]

    made = helper.make_graph(
        nodes,
        "tiny",
        [
            value("input_ids", TensorProto.INT64, "batch", "sequence"),
            value("attention_mask", TensorProto.INT64, "batch", "total"),
            *cache("past_key_values", "past"),
        ],
        [value("logits", TensorProto.FLOAT, "batch", "sequence", size), *cache("present", "total")],
        [*stored, *small],
    )
    return helper.make_model(
        made,
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)],
        ir_version=8,
    )


def write_json(name: str, content: object) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=1)
    (FOLDER / name).write_text(f"{text}\n", encoding="utf-8", newline="\n")


def write_tokenizer(vocabulary: dict[str, int], merges: list[tuple[str, str]]) -> None:
    added = [
        {
            "id": vocabulary[text],
            "content": text,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for text in SPECIAL
    ]
    plain = {token: number for token, number in vocabulary.items() if token not in SPECIAL}
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": True,
    }
    write_json(
        "tokenizer.json",
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": added,
            "normalizer": None,
            "pre_tokenizer": byte_level,
            "post_processor": None,
            "decoder": byte_level,
            "model": {
                "type": "BPE",
                "dropout": None,
                "unk_token": None,
                "continuing_subword_prefix": None,
                "end_of_word_suffix": None,
                "fuse_unk": False,
                "byte_fallback": False,
                "vocab": plain,
                "merges": [" ".join(pair) for pair in merges],
            },
        },
    )
    write_json(
        "tokenizer_config.json",
        {
            "tokenizer_class": "GPT2Tokenizer",
            "add_bos_token": False,
            "bos_token": EOS,
            "eos_token": END,
            "unk_token": EOS,
            "clean_up_tokenization_spaces": False,
            "model_max_length": CONTEXT,
            "chat_template": CHAT_TEMPLATE,
        },
    )


def write_config(vocabulary: dict[str, int]) -> None:
    past = {f"past_{part}_names": f"past_key_values.%d.{part}" for part in ("key", "value")}
    present = {f"present_{part}_names": f"present.%d.{part}" for part in ("key", "value")}
    write_json(
        "genai_config.json",
        {
            "model": {
                "bos_token_id": vocabulary[EOS],
                "context_length": CONTEXT,
                "decoder": {
                    "session_options": {"log_id": "onnxruntime-genai", "provider_options": []},
                    "filename": "model.onnx",
                    "head_size": HEAD,
                    "hidden_size": WIDTH,
                    "inputs": {
                        "input_ids": "input_ids",
                        "attention_mask": "attention_mask",
                        **past,
                    },
                    "outputs": {"logits": "logits", **present},
                    "num_attention_heads": HEADS,
                    "num_hidden_layers": 1,
                    "num_key_value_heads": KV_HEADS,
                },
                "eos_token_id": [vocabulary[END], vocabulary[EOS]],
                "pad_token_id": vocabulary[EOS],
                "type": "llama",
                "vocab_size": len(vocabulary),
            },
            "search": {
                "do_sample": False,
                "max_length": CONTEXT,
                "past_present_share_buffer": True,
                "top_k": 1,
                "top_p": 1.0,
                "temperature": 1.0,
            },
        },
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    merges = learn_merges(LINES)
    tokens = [*LETTERS.values(), *dict.fromkeys("".join(pair) for pair in merges), *SPECIAL]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    model = graph(follow_table(vocabulary, merges))
    for old in FOLDER.glob("model.onnx*"):
        old.unlink()
    onnx.save_model(
        model,
        str(FOLDER / "model.onnx"),
        save_as_external_data=True,
        location="model.onnx.data",
        size_threshold=1024,
    )
    write_tokenizer(vocabulary, merges)
    write_config(vocabulary)


if __name__ == "__main__":
    main()
