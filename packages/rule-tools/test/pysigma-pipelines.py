"""Prints pipelines of pySigma as YAML (which JSON is), and rules after each, for each line of stdin, the path of a rule:
as trees of what is written, and as rules with a selection for each comparison that pySigma makes of them."""
import dataclasses, json, re, sys
from sigma.collection import SigmaCollection
from sigma.rule import SigmaDetection
from sigma import conditions as T
from sigma import types as V
from sigma.types import SigmaFieldReference, SigmaNumber
from sigma.pipelines.sysmon import sysmon_pipeline
from sigma.pipelines.windows import windows_logsource_pipeline
from sigma.pipelines.elasticsearch import ecs_windows
from sigma.processing.transformations import transformations
from sigma.processing import conditions as C
types = {v: k for k, v in transformations.items()}
def kinds(table): return {v: k for k, v in table.items()}
tables = [kinds(C.rule_conditions), kinds(C.detection_item_conditions), kinds(C.field_name_conditions)]
internal = {"processing_item", "name"}
def cond(c):
    kind = next(t[type(c)] for t in tables if type(c) in t)
    fields = {f.name: getattr(c, f.name) for f in dataclasses.fields(c) if f.init and getattr(c, f.name) is not None}
    # Written pipelines call the parameter mode, as a condition's own type is called type.
    if kind in ("include_fields", "exclude_fields"): fields.setdefault("mode", fields.pop("type", "plain"))
    return {"type": kind, **{k: v for k, v in fields.items() if isinstance(v, (str, int, list, bool))}}
def item(i):
    t = i.transformation
    d = {"id": i.identifier, "type": types[type(t)]}
    for f in dataclasses.fields(t):
        v = getattr(t, f.name)
        if f.init and f.name not in internal and v is not None: d[f.name] = v
    if d["type"] == "set_value": d["value"] = t.sigma_value.to_plain()
    for scope in ("rule", "detection_item", "field_name"):
        cs = getattr(i, scope + "_conditions")
        if cs: d[scope + "_conditions"] = [cond(c) for c in cs]
        if getattr(i, scope + "_condition_linking") is any: d[scope + "_cond_op"] = "or"
        if getattr(i, scope + "_condition_negation"): d[scope + "_cond_not"] = True
    return d
def printed(values):
    return [("#" if isinstance(v, SigmaNumber) else "") + str(v.to_plain()) for v in values]
def record(d, into):
    for x in d.detection_items:
        if isinstance(x, SigmaDetection): record(x, into)
        else: into[id(x.original_value)] = printed(x.value)
def tree(d, before):
    if isinstance(d, SigmaDetection):
        return {"any" if d.item_linking.__name__ == "ConditionOR" else "all": [tree(x, before) for x in d.detection_items]}
    values = d.original_value if isinstance(d.original_value, list) else [d.original_value]
    # What modifiers made is not original; pipelines rename fields in it and change values.
    if any(isinstance(v, SigmaFieldReference) for v in d.value): values = [v.field for v in d.value]
    elif printed(d.value) != before.get(id(d.original_value), printed(d.value)): values = list(dict.fromkeys(d.value))
    texts = [getattr(v, "original", v) if not hasattr(v, "to_plain") else printed([v])[0] for v in values]
    return {"field": d.field, "values": texts}
def simplify(t):
    for k in ("any", "all"):
        if k in t:
            inner = [simplify(x) for x in t[k]]
            return inner[0] if len(inner) == 1 else {k: inner}
    return {"field": t["field"], "values": [str(v) for v in t["values"]]}
operators = {V.CompareOperators.LT: "lt", V.CompareOperators.LTE: "lte", V.CompareOperators.GT: "gt", V.CompareOperators.GTE: "gte"}
flags = {V.SigmaRegularExpressionFlag.IGNORECASE: "i", V.SigmaRegularExpressionFlag.MULTILINE: "m", V.SigmaRegularExpressionFlag.DOTALL: "s"}
wildcards = {V.SpecialChars.WILDCARD_MULTI: "*", V.SpecialChars.WILDCARD_SINGLE: "?"}
def written(text):
    """A text as Sigma writes it, whose wildcards are none of its characters."""
    return "".join(wildcards[p] if isinstance(p, V.SpecialChars) else re.sub(r"([*?\\])", r"\\\1", p) for p in text.s)
def comparison(value):
    """The modifiers and the value of a comparison. Values of other kinds are an error, which leaves the rule out."""
    match value:
        case V.SigmaCasedString(): return ["cased"], written(value)
        case V.SigmaString(): return [], written(value)
        case V.SigmaTimestampPart(): raise TypeError("a part of a time")
        case V.SigmaNumber(): return [], value.number
        case V.SigmaBool(): return [], value.boolean
        case V.SigmaNull(): return [], None
        case V.SigmaExists(): return ["exists"], bool(value)
        case V.SigmaRegularExpression(): return ["re", *sorted(flags[f] for f in value.flags)], value.regexp.original
        case V.SigmaCIDRExpression(): return ["cidr"], value.cidr
        case V.SigmaCompareExpression(): return [operators[value.op]], value.number.number
        case V.SigmaFieldReference():
            return ["fieldref", *["startswith"] * value.starts_with, *["endswith"] * value.ends_with], value.field
    raise TypeError(type(value).__name__)
def compiled(rule):
    """The rule as the tree of comparisons that pySigma makes of it, with a selection for each list of one field."""
    selections = {}
    def select(leaves):
        field = getattr(leaves[0], "field", None)
        made = [comparison(leaf.value) for leaf in leaves]
        values = [value for _, value in made]
        name = f"s{len(selections)}"
        selections[name] = {"|".join([field, *made[0][0]]): values} if field is not None else values
        return name
    def condition(node):
        if isinstance(node, (T.ConditionFieldEqualsValueExpression, T.ConditionValueExpression)): return select([node])
        if isinstance(node, T.ConditionNOT): return f"not {condition(node.args[0])}"
        leaves = [a for a in node.args if isinstance(a, T.ConditionFieldEqualsValueExpression)]
        alike = {(a.field, *comparison(a.value)[0]) for a in leaves}
        if isinstance(node, T.ConditionOR) and len(leaves) == len(node.args) and len(alike) == 1: return select(leaves)
        return "(" + (" or " if isinstance(node, T.ConditionOR) else " and ").join(map(condition, node.args)) + ")"
    conditions = [condition(c.parsed) for c in rule.detection.parsed_condition]
    l = rule.logsource
    named = {"category": l.category, "product": l.product, "service": l.service}
    return {
        "title": rule.title, "id": str(rule.id), "logsource": {k: v for k, v in named.items() if v is not None},
        "detection": {**selections, "condition": conditions},
    }
pipelines = {"sysmon": sysmon_pipeline, "windows": windows_logsource_pipeline, "ecs_windows": ecs_windows}
out = {"pipelines": {}, "rules": {}, "compiled": {}}
for name, make in pipelines.items():
    p = make()
    out["pipelines"][name] = {"name": p.name, "priority": p.priority, "transformations": [item(i) for i in p.items]}
for path in sys.stdin.read().split("\n"):
    if not path: continue
    for name, make in pipelines.items():
        try:
            rule = SigmaCollection.from_yaml(open(path, encoding="utf-8").read()).rules[0]
            before = {}
            for d in rule.detection.detections.values(): record(d, before)
            make().apply(rule)
            names = {n: "added" for n in rule.detection.detections if n.startswith("_cond_")}
            text = [c.condition for c in rule.detection.parsed_condition]
            for n in names: text = [c.replace(n, "added") for c in text]
            l = rule.logsource
            out["rules"].setdefault(path, {})[name] = {
                "logsource": [l.category, l.product, l.service], "condition": text, "fields": rule.fields,
                "selections": sorted(
                    [["added" if n in names else n, simplify(tree(d, before))] for n, d in rule.detection.detections.items()], key=json.dumps,
                ),
            }
        except Exception as e:
            out["rules"].setdefault(path, {})[name] = {"error": str(e)}
            continue
        try:
            out["compiled"].setdefault(path, {})[name] = compiled(rule)
        except Exception as e:
            out["compiled"].setdefault(path, {})[name] = {"error": str(e)}
print(json.dumps(out))
