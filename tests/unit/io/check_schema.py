#!/usr/bin/env python3
"""The schema of the model file: all example models keep to it, and what the reader refuses by its keys and types does not.

    check_schema.py MAGGI SOURCE_DIR
"""
import copy
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema

# TOML with one mistake in a key or a type, each on top of an example model: the schema and the reader refuse it
MISTAKES = [
    ("pendulum", 'titel = "misspelt"'),
    ("pendulum", "title = 3"),
    ("pendulum", "[energi]\nkinetic = 1"),
    ("pendulum", "[simulation]\nuntill = 3"),
    ("pendulum", '[simulation]\nintegrator = "dopri"'),
    ("pendulum", "[coordinates]\nz = { begin = 1 }"),
    ("pendulum", "[coordinates]\nz = 0.3"),
    ("pendulum", '[constraint]\nc = "x - y"'),
    ("pendulum", '[constraint]\nc = { position = "x", velocity = "y" }'),
    ("pendulum", '[constraint]\nc = { position = "x", friction = { on = "c", coefficient = 0.3 } }'),
    ("pendulum", '[drawing]\nA = { point = ["x", "y"], radius = 1 }'),
    ("pendulum", "[output]\nh = { formla = 1 }"),
    ("pendulum", "[event]\ne = { when = 1, stop = 1 }"),
    ("four_bar", "dimension = 4"),
    ("four_bar", '[joint]\nj = { revolut = ["ground", "coupler"], at = [0, 0] }'),
    ("four_bar", '[joint]\nj = { revolute = ["ground"], at = [0, 0] }'),
    ("four_bar", '[joint]\nj = { revolute = ["ground", "coupler"], at = [0, 0], limits = { lowr = 1 } }'),
    ("four_bar", '[joint]\nj = { revolute = ["ground", "coupler"], at = [0, 0], friction = { mu = 1 } }'),
    ("four_bar", '[force]\nf = { sprng = ["ground", "coupler"] }'),
    ("four_bar", '[force]\nf = { spring = ["ground", "coupler"], rest = 1 }'),
    ("four_bar", "[body.a]\nmass = [1, 2]"),
    ("four_bar", '[coupling]\ng = { sum = { "a.angle" = [1] } }'),
    ("four_bar", "[driver]\nd = { joint = 3 }"),
]


def with_mistake(model, mistake):
    """The model with the tables of the mistake put into its own."""
    result = copy.deepcopy(model)
    for key, value in tomllib.loads(mistake).items():
        if isinstance(value, dict):
            result.setdefault(key, {}).update(value)
        else:
            result[key] = value
    return result


def described(schema, path=""):
    """Each key of the schema that no words explain."""
    for key, inside in schema.get("properties", {}).items():
        if not inside.get("description"):
            yield f"{path}{key}"
        yield from described(inside, f"{path}{key}.")
    for part in ("additionalProperties", "items"):
        if isinstance(schema.get(part), dict):
            yield from described(schema[part], path)
    for inside in schema.get("anyOf", []):
        yield from described(inside, path)


def main(maggi, source):
    schema = json.loads(subprocess.run([maggi, "schema"], capture_output=True, check=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    schema_of = jsonschema.Draft7Validator(schema)
    faults = [f"no description: {key}" for key in described(schema)]
    models = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in (Path(source) / "models").glob("*.toml")}
    for name, model in models.items():
        for error in schema_of.iter_errors(model):
            faults.append(f"models/{name}.toml: {list(error.absolute_path)}: {error.message[:200]}")
    for name, mistake in MISTAKES:
        if schema_of.is_valid(with_mistake(models[name], mistake)):
            faults.append(f"the schema accepts in models/{name}.toml:\n{mistake}")
    if len(models) < 50:
        faults.append(f"only {len(models)} models found")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
