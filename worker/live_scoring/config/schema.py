"""The JSON Schema of the configuration's files, for editors; made from the models."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic.json_schema import models_json_schema

from live_scoring.checks import CHECKS
from live_scoring.config.agents import AgentFile, DefaultsFile
from live_scoring.config.rules import OPTIONS, CallOptions, RuleKind
from live_scoring.config.secrets import SECRETS
from live_scoring.config.worker import WorkerConfig
from live_scoring.core.scoring import Check

_REF = "#/$defs/{model}"
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_SHORT_FORMS = {
    "sampling": _SHARE,
    "threshold": _SHARE,
    "require": {"const": "every"},
}
"""By option, what may stand for its mapping."""
_OWN = {
    "use": {"type": "string", "description": "A scorer of one's own: `package.module:factory`."},
    "with": {"type": "object", "description": "Arguments of its factory."},
}

Json = dict[str, Any]


def config_schema() -> Json:
    """A schema that `worker.yaml`, `defaults.yaml` and the files of `agents/` are valid by."""
    files: Sequence[type[BaseModel]] = (WorkerConfig, DefaultsFile, AgentFile)
    models: Sequence[type[BaseModel]] = [*files, *OPTIONS.values(), CallOptions, *CHECKS.values()]
    _, generated = models_json_schema(
        [(model, "validation") for model in models], by_alias=False, ref_template=_REF
    )
    definitions: Json = generated["$defs"]
    for section, key in SECRETS:
        del definitions[f"{section.title()}Config"]["properties"][key]  # never in a file
    own = _OWN | definitions.pop(CallOptions.__name__)["properties"]
    for kind, options in OPTIONS.items():
        definitions[kind] = _rules(kind, definitions.pop(options.__name__), own)
    for file in (DefaultsFile, AgentFile):
        for kind in OPTIONS:
            definitions[file.__name__]["properties"][kind] = {"$ref": _REF.format(model=kind)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "live-scoring/config/v1",
        "title": "Configuration of live-scoring",
        "anyOf": [{"$ref": _REF.format(model=file.__name__)} for file in files],
        "$defs": definitions,
    }


def _rules(kind: RuleKind, options: Json, own: Json) -> Json:
    """Rules by name: a check's bare name, null, or a mapping of a check and options.

    `own` are the keys of a scorer of one's own, which may stand in a check's place.
    """
    properties = options["properties"]
    for option in [option for option in _SHORT_FORMS if option in properties]:
        described = properties[option]
        properties[option] = {
            "anyOf": [_SHORT_FORMS[option], _without_default(described)],
            "description": described.get("description", ""),
        }
    checks = {spelt: model for name, model in CHECKS.items() for spelt in (name, to_camel(name))}
    properties |= {name: _check(model) for name, model in checks.items()} | own
    options["dependentRequired"] = {key: ["use"] for key in own if key != "use"}
    rule = {"anyOf": [{"enum": list(checks)}, {"type": "null"}, options | {"title": kind}]}
    return {"type": "object", "additionalProperties": rule}


def _check(model: type[Check]) -> Json:
    """A check's parameters: a mapping, the first alone, or nothing."""
    forms: list[Json] = [{"$ref": _REF.format(model=model.__name__)}]
    first = next(iter(model.model_fields), None)
    if first is not None:
        forms.append({"$ref": f"{_REF.format(model=model.__name__)}/properties/{first}"})
    if not any(field.is_required() for field in model.model_fields.values()):
        forms.append({"type": "null"})
    return {"anyOf": forms, "description": (model.__doc__ or "").split("\n")[0]}


def _without_default(schema: Json) -> Json:
    return {key: value for key, value in schema.items() if key not in {"default", "description"}}
