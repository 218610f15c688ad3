"""Networks with a head that scores: what transformers has, AlpacaFarm's reward models, and BLEURT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import transformers
from safetensors import safe_open
from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification, AutoTokenizer
from transformers.utils import logging

from plumbline.models.engines.formats import Input
from plumbline.models.engines.forward import UNLOADABLE, pretrained, told_when_full, unloadable
from plumbline.models.engines.weights import check_whole
from plumbline.records.errors import PlumblineError
from plumbline.records.files import read_json

if TYPE_CHECKING:
    from plumbline.models.engines.classifier import ClassifierModel

ALPACA_FARM, BLEURT = "reward_model", "bleurt"
"""What `model_type` says in the configurations of networks that transformers does not have."""
OUTPUTS = ("logits", "score", "rewards")
"""What networks call what their head says."""


class ScoringNetwork:
    """A network with a head, and the tokens that make texts of one batch as long as one another."""

    def __init__(self, network: Any, tokenizer: Any, pad: int, left: bool = False) -> None:
        self.network, self.tokenizer, self.pad, self.left = network, tokenizer, pad, left
        self.takes_kinds = "token_type_ids" in tokenizer.model_input_names

    @property
    def longest(self) -> int:
        """The most tokens the network was built for."""
        built = getattr(self.network.config.get_text_config(), "max_position_embeddings", None)
        known = [size for size in (built, self.tokenizer.model_max_length) if size and size > 0]
        return int(min(known))

    @property
    def labels(self) -> list[str]:
        names = self.network.config.id2label
        return [str(names[number]) for number in sorted(names)]

    def logits(self, inputs: Sequence[Input]) -> list[tuple[float, ...]]:
        """What the head says of each input, read together."""
        longest = max(len(each.ids) for each in inputs)

        def padded(values: Sequence[int], filler: int) -> list[int]:
            gap = [filler] * (longest - len(values))
            return [*gap, *values] if self.left else [*values, *gap]

        read = {
            "input_ids": [padded(each.ids, self.pad) for each in inputs],
            "attention_mask": [padded([1] * len(each.ids), 0) for each in inputs],
        }
        if self.takes_kinds:
            read["token_type_ids"] = [padded(each.kinds, 0) for each in inputs]
        with torch.inference_mode(), told_when_full():
            device = next(self.network.parameters()).device
            output = self.network(**{name: torch.tensor(rows, device=device) for name, rows in read.items()})
            values = values_of(output).float().reshape(len(inputs), -1).double()
        return [tuple(row) for row in values.tolist()]


def values_of(output: Any) -> Any:
    for name in OUTPUTS:
        if (values := getattr(output, name, None)) is not None:
            return values
    raise PlumblineError(
        "the model's own code gives no score",
        expected=" or ".join(OUTPUTS),
        found=", ".join(getattr(output, "keys", list)()) or type(output).__name__,
    )


def load(folder: Path, model: ClassifierModel, dtype: str) -> ScoringNetwork:
    """A network ready to score, on the GPU where there is one, and its tokenizer."""
    logging.disable_progress_bar()
    kind = read_json(folder / "config.json").get("model_type", "")
    try:
        tokenizer = tokenizer_of(folder, kind, model.trust_remote_code)
        if kind == ALPACA_FARM:
            network = alpaca_farm(folder, model.backbone)
        elif kind == BLEURT:
            network = bleurt(folder)
        else:
            network = with_head(folder, dtype, model.trust_remote_code)
    except UNLOADABLE as error:
        raise unloadable(folder, error, "a network with a head for classification") from error
    if kind in (ALPACA_FARM, BLEURT):
        network = network.to(getattr(torch, dtype)).to("cuda" if torch.cuda.is_available() else "cpu")
    pad = pad_of(tokenizer, network.config, model)
    return ScoringNetwork(network.eval(), tokenizer, pad, left=model.padding == "left")


def with_head(folder: Path, dtype: str, trusted: bool) -> Any:
    own = read_json(folder / "config.json").get("auto_map", {})
    if not trusted and "AutoModelForSequenceClassification" in own:
        raise PlumblineError(
            "the model scores by code of its own, which is not run unless its file says so",
            where=str(folder),
            found=str(own["AutoModelForSequenceClassification"]),
            do="read that code; if you trust it, set `trust_remote_code: true` in the model's file",
        )
    return pretrained(AutoModelForSequenceClassification, folder, dtype, trusted)


def tokenizer_of(folder: Path, kind: str, trusted: bool) -> Any:
    """BLEURT's own tokenizers are those of BERT, and with a model of SentencePiece those of DeBERTa."""
    if kind == BLEURT and not (folder / "tokenizer.json").is_file():
        own = transformers.DebertaV2Tokenizer if (folder / "spm.model").is_file() else transformers.BertTokenizer
        return own.from_pretrained(folder)
    return AutoTokenizer.from_pretrained(folder, trust_remote_code=trusted)


def pad_of(tokenizer: Any, config: Any, model: ClassifierModel) -> int:
    """The padding token, by which transformers also finds where a text ends."""
    if model.pad_token:
        pad = tokenizer.convert_tokens_to_ids(model.pad_token)
        if pad is None or pad == tokenizer.unk_token_id:
            raise PlumblineError(
                f"the model's tokenizer has no token {model.pad_token!r}", where="pad_token in the model's file"
            )
        config.pad_token_id = pad
        return int(pad)
    pad = getattr(config, "pad_token_id", None)
    pad = tokenizer.pad_token_id if pad is None else pad
    if pad is None and model.padding != "none":
        raise PlumblineError(
            "the model names no padding token, by which it finds the end of a text that is read beside longer ones",
            where="the model's file",
            do="set `pad_token` to one of its tokens that ends no text, or `padding: none`, which reads only texts of "
            "one length together",
        )
    if pad is not None:
        config.pad_token_id = pad
    return 0 if pad is None else int(pad)


class Headed(torch.nn.Module):  # type: ignore[misc]
    """A network whose states of one token go through a linear head."""

    def __init__(self, body: Any, head: Any, pooled: bool) -> None:
        super().__init__()
        self.body, self.head, self.pooled = body, head, pooled
        self.config = body.config
        self.config.num_labels = head.out_features

    def forward(self, attention_mask: Any, **read: Any) -> Any:
        """Of the first token, pooled, as BERT's kind; or of the last that is no padding, as a decoder's."""
        states = self.body(attention_mask=attention_mask, **read)
        if self.pooled:
            return transformers.utils.ModelOutput(logits=self.head(states.pooler_output))
        places = torch.arange(attention_mask.shape[1], device=attention_mask.device)
        last = (attention_mask * places).argmax(dim=1)
        ends = states.last_hidden_state[torch.arange(len(last), device=last.device), last]
        return transformers.utils.ModelOutput(logits=self.head(ends))


def alpaca_farm(folder: Path, backbone: str) -> Headed:
    """A LLaMA with a linear head over the state of its last token; its shape stands with the model that it was made
    of."""
    named = backbone or str(read_json(folder / "config.json").get("backbone_model_name_or_path", ""))
    if not (Path(named).expanduser() / "config.json").is_file():
        raise PlumblineError(
            "the shape of AlpacaFarm's reward model stands in the folder of the model that it was made of, and that is "
            "not here",
            where=f"backbone_model_name_or_path: {named}",
            do="set `backbone` in the model's file to a folder with LLaMA's config.json",
        )
    held = state_of(folder)
    shape = AutoConfig.from_pretrained(Path(named).expanduser())
    shape.vocab_size = len(held["backbone_model.model.embed_tokens.weight"])  # its padding token was added
    body = AutoModel.from_config(shape)
    return filled(folder, Headed(body, torch.nn.Linear(shape.hidden_size, 1), pooled=False), held, own_name)


def own_name(name: str) -> str:
    return name.replace("backbone_model.model.", "body.", 1).replace("reward_head.", "head.", 1)


def bleurt(folder: Path) -> Headed:
    """BLEURT (Sellam et al. 2020): BERT with a regression head; BLEURT-20's body is RemBERT (Pu et al. 2021)."""
    settings = read_json(folder / "config.json")
    narrow = settings.get("embedding_size")
    if narrow:
        settings |= {"input_embedding_size": narrow}
        body = transformers.RemBertModel(shaped(transformers.RemBertConfig, settings))
    else:
        body = transformers.BertModel(shaped(transformers.BertConfig, settings))
    head = torch.nn.Linear(body.config.hidden_size, int(settings.get("num_labels", 1)))
    return filled(folder, Headed(body, head, pooled=True), state_of(folder), bleurt_name)


def shaped(kind: Any, settings: Mapping[str, Any]) -> Any:
    """A configuration of this kind, without dropout, as for answers."""
    kept = {name: value for name, value in settings.items() if name not in ("model_type", "architectures")}
    return kind(**{"bos_token_id": None, "eos_token_id": None, **kept})


def bleurt_name(name: str) -> str:
    renamed = name.replace("embedding_projection", "embedding_hidden_mapping_in")
    return renamed.replace("bleurt.", "body.", 1).replace("classifier.", "head.", 1)


def state_of(folder: Path) -> dict[str, Any]:
    tensors: dict[str, Any] = {}
    for path in sorted(folder.glob("*.safetensors")):
        with safe_open(path, "pt") as file:
            tensors |= {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    return tensors


def filled(folder: Path, network: Headed, held: Mapping[str, Any], own: Any) -> Headed:
    """The network with its weights; what it needs must be there in its shape, and what it has no use for is left."""
    wanted = network.state_dict()
    state = {own(name): tensor for name, tensor in held.items() if own(name) in wanted}
    other = [name for name, tensor in state.items() if tensor.shape != wanted[name].shape]
    check_whole(folder, {"missing_keys": wanted.keys() - state.keys(), "mismatched_keys": other})
    network.load_state_dict(state)
    return network
