import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileRules } from '@tripline/engine'
import type { DetectionRule, SelectionBody } from '@tripline/engine/authoring'
import { expect, test } from 'vitest'
import { createRuleTransform } from '../src/pipelines/apply-pipelines.ts'
import { parsePipeline } from '../src/pipelines/parse-pipeline.ts'

/** A Python with the packages of `tools/test-python.txt`; without one the test is skipped. */
const python = process.env['TRIPLINE_TEST_PYTHON'] ?? ''
const archive = fileURLToPath(new URL('../../../../shared/data/sigma-rules.tar.gz', import.meta.url))
/** All that are asked for take a minute; TRIPLINE_FULL=1 does. */
const rulesMax = process.env['TRIPLINE_FULL'] === '1' ? 1_000 : 250

/** Where an item's own field was renamed by a step before, pySigma leaves the field that its value refers to as it is. */
const knownDifferences: ReadonlySet<string> = new Set(['ecs_windows win_security_explicit_credential_local_logon.yml'])

/** Prints pipelines as YAML (which JSON is), and rules after each as trees: for each line of stdin, the path of a rule. */
const oracle = String.raw`
import dataclasses, json, sys
from sigma.collection import SigmaCollection
from sigma.rule import SigmaDetection
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
    return {"field": d.field, "values": [getattr(v, "original", v) if not hasattr(v, "to_plain") else printed([v])[0] for v in values]}
def simplify(t):
    for k in ("any", "all"):
        if k in t:
            inner = [simplify(x) for x in t[k]]
            return inner[0] if len(inner) == 1 else {k: inner}
    return {"field": t["field"], "values": [str(v) for v in t["values"]]}
pipelines = {"sysmon": sysmon_pipeline, "windows": windows_logsource_pipeline, "ecs_windows": ecs_windows}
out = {"pipelines": {}, "rules": {}}
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
                "selections": sorted([["added" if n in names else n, simplify(tree(d, before))] for n, d in rule.detection.detections.items()], key=json.dumps),
            }
        except Exception as e:
            out["rules"].setdefault(path, {})[name] = {"error": str(e)}
print(json.dumps(out))
`

type Oracle = {
  readonly pipelines: { readonly [name: string]: object }
  readonly rules: { readonly [path: string]: { readonly [pipeline: string]: { readonly error?: string } } }
}

type Tree = { readonly any: readonly Tree[] } | { readonly all: readonly Tree[] } | { readonly field: string | null; readonly values: readonly string[] }

/** The tree of a selection, without groups of one. */
function toTree(body: SelectionBody): Tree {
  if (body.kind === 'item') return { field: body.field ?? null, values: body.values.map(({ value, text }) => printValue(value, text)) }
  if (body.kind !== 'any' && body.kind !== 'all') throw new Error(`a rule of SigmaHQ has the kind ${body.kind}`)
  const inner = body.of.map(toTree)
  if (inner.length === 1) return inner[0]!
  return body.kind === 'any' ? { any: inner } : { all: inner }
}

/** As Python prints values. */
function printValue(value: unknown, text: string): string {
  if (value === null) return 'None'
  if (typeof value === 'number') return `#${text}`
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : text
}

function describeRule({ logsource, detection, fields }: DetectionRule): object {
  const rename = (name: string): string => name.startsWith('_condition_') ? 'added' : name
  const selections = Array.from(detection.selections.values(), ({ name, body }) => [rename(name), toTree(body)] as const)
  return {
    logsource: [logsource.category ?? null, logsource.product ?? null, logsource.service ?? null],
    condition: detection.conditions.map(({ text }) => text.replaceAll(/_condition_\d+/g, 'added')),
    fields,
    selections,
  }
}

/** Texts in one form: selections in the order of their texts, without backslashes, which pySigma adds where it prints values. */
function normalize(rule: object): unknown {
  const text = JSON.stringify(rule).replaceAll(/\s+/g, ' ').replaceAll(/\\\\/g, '')
  const parsed = JSON.parse(text) as { selections: unknown[] }
  return { ...parsed, selections: parsed.selections.map((one) => JSON.stringify(one)).sort() }
}

const title = 'pipelines of pySigma rewrite rules of SigmaHQ as pySigma does'
const missing = !existsSync(archive) ? 'no shared sigma-rules.tar.gz' : python === '' ? 'TRIPLINE_TEST_PYTHON names no Python' : undefined

test.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (skipped: ${missing})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-pysigma-'))
  try {
    expect(spawnSync('tar', ['xzf', archive, '-C', folder]).status).toBe(0)
    const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yml') && /\brules\b.*windows/.test(name))
    const step = Math.max(1, Math.floor(all.length / rulesMax))
    const paths = all.sort().filter((_, i) => i % step === 0).slice(0, rulesMax).map((name) => join(folder, name))
    const { stdout, stderr } = spawnSync(python, ['-c', oracle], { input: paths.join('\n'), encoding: 'utf8', maxBuffer: 1e9 })
    if (stdout === '') throw new Error(stderr)
    const { pipelines, rules } = JSON.parse(stdout) as Oracle
    let compared = 0
    const different: string[] = []
    for (const [name, pipeline] of Object.entries(pipelines)) {
      const transform = createRuleTransform([parsePipeline(JSON.stringify(pipeline))])
      for (const path of paths) {
        const expected = rules[path]?.[name]
        if (expected === undefined || expected.error !== undefined) continue
        const transformed: DetectionRule[] = []
        compileRules(readFileSync(path, 'utf8'), { transform, onRule: (_, rule) => transformed.push(rule) })
        if (transformed.length !== 1) continue
        compared++
        const [own, theirs] = [normalize(describeRule(transformed[0]!)), normalize(expected)]
        const isKnown = knownDifferences.has(`${name} ${basename(path)}`)
        if (!isKnown && JSON.stringify(own) !== JSON.stringify(theirs)) different.push(`${name} ${path}\n${JSON.stringify(own)}\n${JSON.stringify(theirs)}`)
      }
    }
    expect(different.slice(0, 3)).toEqual([])
    expect(compared).toBeGreaterThan(2 * rulesMax)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
