"""Prints what pySigma makes of the correlation `top` of each case of stdin, a list of {"rules", "pipeline"} in YAML: the fields that
it groups by, its aliases, the fields of its condition, the fields it lists; or its error."""
import json, sys
from sigma.collection import SigmaCollection
from sigma.processing.pipeline import ProcessingPipeline
def words(value):
    return " ".join(value) if isinstance(value, list) else value or ""
def transformed(case):
    rules = SigmaCollection.from_yaml(case["rules"])
    rules.resolve_rule_references()
    # Each rule gets the pipeline anew, those that a correlation names before it: as backends convert them.
    for rule in rules.rules:
        ProcessingPipeline.from_yaml(case["pipeline"]).apply(rule)
    top = next(rule for rule in rules.rules if rule.title == "top")
    aliases = {alias.alias: {reference.reference: field for reference, field in alias.mapping.items()} for alias in top.aliases}
    return [words(top.group_by), aliases, words(getattr(top.condition, "fieldref", None)), words(top.fields)]
out = []
for case in json.load(sys.stdin):
    try:
        out.append(transformed(case))
    except Exception as e:
        out.append({"error": str(e)})
print(json.dumps(out))
