import { describe, expect } from 'vitest'
import { Engine, compileRules } from '../src/index.ts'
import type { Compilation, CompiledCorrelation, DetectionMatch, EventObject, Match } from '../src/index.ts'
import { eachSharedLine, sharedPath, testWithShared } from './read-shared-data.ts'
import { readTar } from './read-tar.ts'
import { referenceMatches } from './reference/reference-correlation.ts'
import type { ReferenceEvent } from './reference/reference-correlation.ts'
import type { ReferenceCorrelation } from './reference/reference-types.ts'

const rulesFile = 'sigma-correlation-rules.tar.gz'
const eventFiles = ['events-windows-dev.ndjson.gz', 'events-other-dev.ndjson.gz']

describe('public correlation rules', () => {
  testWithShared([rulesFile], 'load: 14, 3 and 1 beside aggregations', () => {
    const folders = ['mdecrevoisier', 'hayabusa/hayabusa', 'hayabusa/scripts']
    // 14, 3 and 1, and twenty aggregations, of which six have a text under `correlation`.
    expect(folders.map((folder) => compile(folder).ruleSet.correlations.length)).toEqual([34, 3, 1])
    const problems = folders.flatMap((folder) => compile(folder).reports)
      .filter(({ kind, verdict }) => kind === 'correlation' && verdict !== 'compiled')
      .flatMap(({ diagnostics }) => diagnostics.filter(({ kind }) => kind === 'error').map(({ message }) => message))
    // Some documents have free text under this name and no detection.
    const others = problems.filter((message) => message !== "'correlation' must be a map")
    expect(others.filter((message) => !message.startsWith("'logsource"))).toEqual([])
  })

  testWithShared([rulesFile, ...eventFiles], 'match recorded events like the reference', () => {
    const { ruleSet } = compile('mdecrevoisier', 'hayabusa/hayabusa')
    const apart = new Engine(ruleSet, { correlation: false })
    const engine = new Engine(ruleSet)
    const found: Match[] = []
    const stream: ReferenceEvent[] = []
    for (const batch of batchesOf(eventFiles)) {
      found.push(...engine.push(batch))
      stream.push(...occurrencesIn(apart.push(batch)))
    }
    found.push(...engine.finish())
    const fired = found.filter((match) => match.kind === 'correlation')
    const expected = referenceMatches(ruleSet.correlations.map(referenceOf), stream, 0)
    const printed = ({ rule, decidedAt, value }: { rule: string; decidedAt: number; value: number | undefined }): string => {
      return `${new Date(decidedAt).toISOString()} ${rule}: ${value}`
    }
    const firings = fired.map(({ rule: { title: rule }, decidedAt, value }) => printed({ rule, decidedAt, value })).sort()
    expect(firings).toEqual(expected.map(printed).sort())
    // The base rules of the others do not match often enough within the timespan.
    expect(firings).toEqual([
      '2021-11-03T08:35:04.458Z Obfuscated payload transfered via service name - Tchopper (command): 51',
      '2021-11-03T08:36:52.844Z Massive remote service creation via named pipes - Tchopper: 101',
      '2021-11-25T14:11:11.325Z Suspicious Active Directory DPAPI attributes accessed Count: 5',
      '2021-11-25T14:11:11.331Z Domain group enumeration: 31',
      '2021-12-12T07:16:05.866Z User files dump via network share (DonPapi, Lazagne): 16',
      '2021-12-12T11:53:31.051Z User files dump via network share (DonPapi, Lazagne): 16',
    ])
    expect(stream.length).toBeGreaterThan(190)
  })
})

describe("the specification's samples", () => {
  /** References of the samples to rules that are not included. */
  const missing = [
    '5638f7c0-ac70-491d-8465-2a65075e0d86', 'recon_cmd_a', 'recon_cmd_b', 'recon_cmd_c', 'rule_a_id', 'process_creation', 'website_access',
    '6f3e2987-db24-4c78-a860-b4f4095a7095', 'df0841c0-9846-4e9f-ad8a-7df91571771b',
  ]
  const strange = "unsupported the taxonomy 'ecs' has no mapping; use 'sigma'"
  const verdicts = [
    'event_count.yml compiled', `event_count_ecs.yml ${strange}`, 'temporal.yml compiled', 'temporal_ordered.yml compiled',
    'value_avg.yml compiled', 'value_count.yml compiled', 'value_percentile.yml compiled', 'value_sum.yml compiled',
    'filter_1.yml compiled', `filter_ecs.yml ${strange}`,
  ]

  testWithShared([rulesFile], 'load when the referenced rules are present', () => {
    const samples = filesIn('sigma-specification/tests/schema').filter(({ path }) => !path.includes('/rules/'))
    // Most samples have the same id, so each is loaded alone.
    const reports = samples.map((sample) => compileRules([...missing.map(standIn), sample]).reports.at(-1)!)
    expect(reports.map(({ path, verdict, diagnostics }) => {
      return [path.split('/').at(-1), verdict, ...diagnostics.filter(({ kind }) => kind !== 'lint').map(({ message }) => message)].join(' ')
    })).toEqual(verdicts)
  })

  testWithShared([rulesFile], 'report the missing rules otherwise', () => {
    const samples = filesIn('sigma-specification/tests/schema').filter(({ path }) => !path.includes('/rules/') && !path.includes('_ecs'))
    const codes = samples.flatMap((sample) => compileRules([sample]).reports[0]!.diagnostics.map(({ code }) => code))
    expect(new Set(codes)).toEqual(new Set(['UNKNOWN_RULE', 'DANGLING_REFERENCE']))
  })
})

/** Creates a rule for a missing reference, with the logsource of the filter sample. */
function standIn(reference: string): { readonly text: string } {
  const isId = /^[0-9a-f-]{36}$/.test(reference)
  const logsource = { category: 'process_creation', product: 'windows' }
  const detection = { selection: { EventID: 1 }, condition: 'selection' }
  return { text: JSON.stringify({ title: reference, [isId ? 'id' : 'name']: reference, logsource, detection }) }
}

function filesIn(...folders: readonly string[]): { readonly path: string; readonly text: string }[] {
  const files = readTar(sharedPath(rulesFile)).filter(({ path }) => /\.ya?ml$/.test(path))
  return files.filter(({ path }) => folders.some((folder) => path.startsWith(`sigma-correlation/${folder}/`)))
}

function compile(...folders: readonly string[]): Compilation {
  return compileRules(filesIn(...folders))
}

/** Reads the events of files in batches. */
function* batchesOf(files: readonly string[]): Generator<EventObject[]> {
  let batch: EventObject[] = []
  for (const file of files) {
    for (const line of eachSharedLine(file)) {
      if (batch.push(JSON.parse(line)) < 1_024) continue
      yield batch
      batch = []
    }
  }
  yield batch
}

/** Lists the matched events, each once, with their rules. */
function occurrencesIn(matches: readonly Match[]): ReferenceEvent[] {
  const detections = matches.filter((match): match is DetectionMatch => match.kind === 'detection')
  const byRow = Map.groupBy(detections, ({ row }) => row)
  return Array.from(byRow.values(), (same) => {
    const { event } = same[0]!
    return { at: Date.parse(String(event['@timestamp'])), fields: event, rules: same.map(({ rule }) => rule.id) }
  })
}

/** Converts a correlation for the reference; these have neither aliases nor formulas. */
function referenceOf({ title, rule, members }: CompiledCorrelation): ReferenceCorrelation {
  const { type, groupBy, timespanMs, condition } = rule.correlation
  if (condition.kind === 'formula') throw new Error(`the correlation '${title}' has a formula, which was not expected`)
  return {
    name: title,
    type,
    rules: members.map(({ ruleId }) => ruleId),
    groupBy,
    aliases: {},
    spanMs: timespanMs,
    thresholds: Object.fromEntries(condition.thresholds.map(({ operator, value }) => [operator, value])),
    formula: undefined,
    fields: condition.fields,
    percentile: condition.percentile,
    firing: 'on_true',
  }
}
