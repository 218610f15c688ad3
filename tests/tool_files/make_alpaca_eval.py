"""Writes alpaca_eval.json beside itself: `pip install alpaca-eval`, then run it in this folder.

Two annotators: the longer output wins, or the first one; the longer one says nothing of two.
"""

import json
from pathlib import Path

import alpaca_eval.annotators.base as base
from alpaca_eval.annotators import PairwiseAnnotator

ITEMS = [
    ("Name a colour.", "Red is one of many colours.", "seven"),
    ("Count to two.", "two", "one, two"),
    ("Sing.", "La la", "La la la la"),
    ("Add 2 and 2.", "22", "It is 4."),
]
CONFIG = """
{name}:
  prompt_template: prompt.txt
  fn_completions: {name}
  completions_kwargs: {{model_name: {name}}}
  completion_parser_kwargs:
    outputs_to_match: {{1: 'Output \\(a\\)', 2: 'Output \\(b\\)'}}
  batch_size: 1
"""


def longer(prompts, **more):
    said = []
    for prompt in prompts:
        one, other = prompt.split("\n")[2:4]
        word = "neither" if "two" in one else f"Output ({'a' if len(one) > len(other) else 'b'})"
        said.append(word)
    return {"completions": said, "time_per_example": [0.1] * len(said), "price_per_example": [0.0] * len(said)}


def first(prompts, **more):
    return {**longer(prompts), "completions": ["Output (a)"] * len(prompts)}


base.get_fn_completions = {"longer": longer, "first": first}.get
Path("prompt.txt").write_text("<|im_start|>user\n{instruction}\n{output_1}\n{output_2}\n<|im_end|>\n")
annotations = []
for name in ("longer", "first"):
    Path(name).mkdir(exist_ok=True)
    Path(name, "configs.yaml").write_text(CONFIG.format(name=name))
    annotator = PairwiseAnnotator(annotators_config=name, caching_path=None, seed=1, base_dir=".")
    rows = [
        {"instruction": asked, "output_1": one, "output_2": other, "generator_1": "owl", "generator_2": "wren"}
        for asked, one, other in ITEMS
    ]
    annotations += annotator(rows)
Path("alpaca_eval.json").write_text(json.dumps(annotations, indent=1))
