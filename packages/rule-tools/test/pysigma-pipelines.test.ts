import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Engine, compileRules } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import type { DetectionRule, SelectionBody } from '@tripline/engine/authoring'
import { eachSharedLine, hasShared, readSharedLines, sharedPath } from '@tripline/engine/test/read-shared-data'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRuleTransform } from '../src/pipelines/apply-pipelines.ts'
import { parsePipeline } from '../src/pipelines/parse-pipeline.ts'

/** A Python with the packages of `tools/test-python.txt`; without one the test is skipped. */
const python = process.env['TRIPLINE_TEST_PYTHON'] ?? ''
const isFull = process.env['TRIPLINE_FULL'] === '1'
/** All that are asked for take a minute; TRIPLINE_FULL=1 does. */
const rulesMax = isFull ? 1_000 : 250
const sharedFiles = ['sigma-rules.tar.gz', 'regression-dev.ndjson.gz', 'events-windows-dev.ndjson.gz', 'reference-matches-windows-dev.ndjson.gz']

/** Where an item's own field was renamed by a step before, pySigma leaves the field that its value refers to as it is. */
const knownDifferences: ReadonlySet<string> = new Set(['ecs_windows win_security_explicit_credential_local_logon.yml'])

type Oracle = {
  readonly pipelines: { readonly [name: string]: object }
  /** What is written after a pipeline, by path and pipeline */
  readonly rules: { readonly [path: string]: { readonly [pipeline: string]: { readonly error?: string } } }
  /** Rules with a selection for each comparison */
  readonly compiled: { readonly [path: string]: { readonly [pipeline: string]: object } }
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

type Matches = { readonly own: readonly string[]; readonly theirs: readonly string[]; readonly compared: number }

/** What rules find after a pipeline of ours and after pySigma's, as `event: rule`. */
function findMatches(name: string, { pipelines, compiled }: Oracle, paths: readonly string[], events: readonly EventObject[]): Matches {
  const pairs = paths.flatMap((path) => {
    const rule = compiled[path]?.[name]
    return rule === undefined || 'error' in rule ? [] : [{ own: { path, text: readFileSync(path, 'utf8') }, theirs: { path, text: JSON.stringify(rule) } }]
  })
  const transform = createRuleTransform([parsePipeline(JSON.stringify(pipelines[name]))])
  const own = compileRules(pairs.map((pair) => pair.own), { transform })
  const theirs = compileRules(pairs.map((pair) => pair.theirs))
  const find = ({ ruleSet }: typeof own): string[] =>
    [...new Set(new Engine(ruleSet).push(events).map((match) => `${match.kind === 'detection' ? match.row : ''}: ${match.rule.id}`))].sort()
  expect(theirs.ruleSet.rules.length).toBe(own.ruleSet.rules.length)
  return { own: find(own), theirs: find(theirs), compared: own.ruleSet.rules.length }
}

/** The regression events of SigmaHQ; with TRIPLINE_FULL=1 recorded ones, too: the first five that each rule finds, and one in 500 of the others. */
function readEvents(): EventObject[] {
  const regression = readSharedLines('regression-dev.ndjson.gz').map(({ _sigma, ...event }) => event)
  if (!isFull) return regression
  const counts = new Map<string, number>()
  const wanted = new Set((readSharedLines('reference-matches-windows-dev.ndjson.gz') as { line: number; rules: string[] }[]).flatMap(({ line, rules }) => {
    for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    return rules.some((rule) => counts.get(rule)! <= 5) ? [line] : []
  }))
  const lines = [...eachSharedLine('events-windows-dev.ndjson.gz')].filter((_, at) => wanted.has(at) || at % 500 === 0)
  return [...regression, ...lines.map((line) => JSON.parse(line) as EventObject)]
}

const headers: ReadonlySet<string> = new Set(['@timestamp', 'EventID', 'Channel', 'Provider_Name', 'Computer'])

/** Writes an event as Winlogbeat with the fields that the pipeline maps to: each name that a field may get, beside `winlog.event_data`. */
function toWinlogbeat(event: EventObject, names: ReadonlyMap<string, readonly string[]>): EventObject {
  const data = Object.entries(event).filter(([name]) => !headers.has(name))
  const named = Map.groupBy(data.flatMap(([name, value]) => (names.get(name) ?? []).map((to) => ({
    to, value: to === 'network.direction' ? (String(value) === 'true' ? 'egress' : 'ingress') : value,
  }))), ({ to }) => to)
  return {
    '@timestamp': event['@timestamp'],
    'event.code': String(event['EventID']),
    winlog: {
      channel: event['Channel'], event_id: event['EventID'], provider_name: event['Provider_Name'], computer_name: event['Computer'],
      event_data: Object.fromEntries(data),
    },
    ...Object.fromEntries(Array.from(named, ([to, all]) => [to, all.length === 1 ? all[0]!.value : all.map(({ value }) => value)])),
  }
}

/** Every name that some step of a pipeline gives a field. */
function listNewNames(pipeline: object): Map<string, string[]> {
  const { transformations } = pipeline as { readonly transformations: readonly { readonly type: string; readonly mapping?: { readonly [from: string]: string | string[] } }[] }
  const pairs = transformations.filter(({ type }) => type === 'field_name_mapping').flatMap(({ mapping }) => Object.entries(mapping!))
  return new Map(Array.from(Map.groupBy(pairs, ([from]) => from), ([from, all]) => [from, [...new Set(all.flatMap(([, to]) => to))]]))
}

/** Rules of SigmaHQ for Windows, spread over all; those with a regression event first, so that there is something to find. */
function choosePaths(folder: string): string[] {
  const ids = new Set((readSharedLines('regression-dev.ndjson.gz') as { _sigma: { rule_id: string } }[]).map(({ _sigma }) => _sigma.rule_id))
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yml') && /\brules\b.*windows/.test(name))
    .sort().map((name) => join(folder, name))
  const hasEvent = (path: string): boolean => ids.has(/^id: (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '')
  const step = Math.max(1, Math.floor(all.length / rulesMax))
  return [...new Set([...all.filter(hasEvent), ...all.filter((_, i) => i % step === 0)])].slice(0, rulesMax)
}

const missing = sharedFiles.some((name) => !hasShared(name)) ? 'no shared rules and events' : python === '' ? 'TRIPLINE_TEST_PYTHON names no Python' : undefined

describe.skipIf(missing !== undefined)(`pipelines of pySigma${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let oracle: Oracle
  let paths: string[]
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tripline-pysigma-'))
    if (spawnSync('tar', ['xzf', sharedPath('sigma-rules.tar.gz'), '-C', folder]).status !== 0) throw new Error('the rules cannot be unpacked')
    paths = choosePaths(folder)
    const script = join(import.meta.dirname, 'pysigma-pipelines.py')
    const { stdout, stderr } = spawnSync(python, [script], { input: paths.join('\n'), encoding: 'utf8', maxBuffer: 1e9 })
    if (stdout === '') throw new Error(stderr)
    oracle = JSON.parse(stdout) as Oracle
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('rewrite rules of SigmaHQ as pySigma does', () => {
    let compared = 0
    const different: string[] = []
    for (const [name, pipeline] of Object.entries(oracle.pipelines)) {
      const transform = createRuleTransform([parsePipeline(JSON.stringify(pipeline))])
      for (const path of paths) {
        const expected = oracle.rules[path]?.[name]
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
  })

  test.for(['sysmon', 'windows', 'ecs_windows'])('%s: the rewritten rules find the same events', (name) => {
    const flat = readEvents()
    const names = listNewNames(oracle.pipelines[name]!)
    const events = name === 'ecs_windows' ? flat.map((event) => toWinlogbeat(event, names)) : flat
    const { own, theirs, compared } = findMatches(name, oracle, paths, events)
    expect(own).toEqual(theirs)
    expect(compared).toBeGreaterThan(0.9 * rulesMax)
    expect(own.length).toBeGreaterThan(100)
  })
})
