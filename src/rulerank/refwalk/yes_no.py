"""Instruction rerankers: a language model judges whether a passage answers, and its "yes" is the score."""

from __future__ import annotations

from typing import Any

from transformers.models.auto import AutoConfig

from rulerank.learn.hub import local_only

INSTRUCTION = "Given a question about regulations, retrieve the provisions that it must be answered from"

TEMPLATE = (
    "<|im_start|>system\n"
    "Judge whether the Document meets the requirements based on the Query and the Instruct provided. "
    'Note that the answer can only be "yes" or "no".<|im_end|>\n'
    "<|im_start|>user\n"
    f"<Instruct>: {INSTRUCTION}\n"
    '<Query>: {{ messages | selectattr("role", "eq", "query") | map(attribute="content") | first }}\n'
    '<Document>: {{ messages | selectattr("role", "eq", "document") | map(attribute="content") | first }}'
    # Jinja drops a newline at the end of a template, but not one that the template prints.
    "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>{{ '\n\n' }}"
)
"""What the model reads, as a chat template (Zhang and others, "Qwen3 Embedding", arXiv 2506.05176)."""


def template_of(name: str) -> dict[str, Any] | None:
    """Return the template of a model's input: `TEMPLATE` for a generative model, None for a cross-encoder.

    sentence-transformers takes the logits of "yes" and "no" as the next word. The sigmoid of their difference
    is the softmax over the two.

    Parameters
    ----------
    name : str
        A hub name or a folder.

    Raises
    ------
    OSError, ValueError
        The model does not exist.

    """
    architectures = AutoConfig.from_pretrained(name, local_files_only=local_only(name)).architectures or [""]
    return {"chat_template": TEMPLATE} if architectures[0].endswith("ForCausalLM") else None
