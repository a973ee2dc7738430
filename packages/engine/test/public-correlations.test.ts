import { describe, expect } from 'vitest'
import { Engine, compileRules } from '../src/index.ts'
import type { Compilation, CompiledCorrelation, DetectionMatch, EventObject, Match } from '../src/index.ts'
import { eachSharedLine, sharedPath, testWithShared } from './read-shared-data.ts'
import { readTar } from './read-tar.ts'
import { referenceMatches } from './reference/reference-correlation.ts'
import type { ReferenceEvent } from './reference/reference-correlation.ts'
import type { ReferenceCorrelation } from './reference/reference-types.ts'

const rulesFile = 'sigma-correlation-rules.tar.gz'
const failedId = '5638f7c0-ac70-491d-8465-2a65075e0d86'
const eventFiles = ['events-windows-dev.ndjson.gz', 'events-other-dev.ndjson.gz']

describe('public correlation rules', () => {
  testWithShared([rulesFile], 'load: 14, 3 and 1 beside aggregations', () => {
    const folders = ['mdecrevoisier', 'hayabusa/hayabusa', 'hayabusa/scripts']
    // 14, 3 and 1, and 21 aggregations, of which six have a text under `correlation`.
    expect(folders.map((folder) => compile(folder).ruleSet.correlations.length)).toEqual([35, 3, 1])
    const problems = folders.flatMap((folder) => compile(folder).reports)
      .filter(({ kind, verdict }) => kind === 'correlation' && verdict !== 'compiled')
      .flatMap(({ diagnostics }) => diagnostics.filter(({ kind }) => kind === 'error').map(({ message }) => message))
    // Some documents have free text under this name and no detection.
    expect(problems.filter((message) => message !== "'correlation' must be a map")).toEqual([])
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
    const reports = samples.map((sample) => compileRules([...missing.map((reference) => standIn(reference)), sample]).reports.at(-1)!)
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

describe("the specification's text", () => {
  /** Each correlation of the text in its order, and events on which it has to fire once: seconds, the rule that they match, fields. */
  const examples: readonly (readonly [title: string, events: readonly TextEvent[], rules?: readonly string[]])[] = [
    ['Many failed logins', repeatEvent(100, [0, failedId, { ComputerName: 'dc1' }])],
    ['Failed login', repeatEvent(100, [0, failedId, { ComputerName: 'dc1', WorkstationName: 'ws7', User: 'user{n}' }])],
    ['temporal', ['recon_cmd_c', 'recon_cmd_a', 'recon_cmd_b'].map((rule, n) => [n * 100, rule, { ComputerName: 'ws7', User: 'alice' }])],
    ['temporal_ordered', [
      ...repeatEvent(100, [0, failedId, { ComputerName: 'dc1', User: 'alice' }]),
      [100, failedId, { ComputerName: 'dc1', User: 'noise' }],
      [300, 'successful_login', { ComputerName: 'ws7', User: 'alice' }],
    ], ['Many failed logins']],
    ['Possible Exfiltration to Website',
      repeatEvent(2, [0, 'website_access', { SourceIP: '192.0.2.7', User: 'alice', bytes_sent: 500_001 }])],
    ['Suspicious average network traffic', [[0, 'rule_a_id', { SourceIP: '192.0.2.7', User: 'alice', BytesOut: '501' }]]],
    ['A computer spawned a processes name in the last 24h than 1% of all the processes.', [
      ...repeatEvent(99, [0, 'process_creation', { ComputerName: 'ws7', image: 'svchost.exe' }]),
      [100, 'process_creation', { ComputerName: 'ws7', image: 'rare.exe' }],
    ]],
    ['—', [
      [0, 'internal_error', { 'http.response.status_code': 500, 'destination.ip': '10.0.0.5', 'source.ip': '203.0.113.9' }],
      [9, 'new_network_connection', {
        'event.category': 'network', 'event.type': 'connection', 'event.outcome': 'success',
        'source.ip': '10.0.0.5', 'destination.ip': '203.0.113.9',
      }],
    ], ['name: internal_error', 'name: new_network_connection']],
    ['Correlation - Multiple Failed Logins Followed by Successful Login', [
      ...repeatEvent(10, [0, 'failed_login', { EventID: 4625, User: 'alice' }]), [500, 'successful_login', { EventID: 4624, User: 'alice' }],
    ]],
  ]

  testWithShared([rulesFile], 'has examples that fire, and no other correlations', () => {
    const { text } = readTar(sharedPath(rulesFile)).find(({ path }) => path.includes('correlation-rules-specification'))!
    const blocks = Array.from(text.matchAll(/```ya?ml\n(.*?)```/gs), ([, block]) => block!)
    const correlations = blocks.filter((block) => /^ +type: \w+$/m.test(block))
    expect(correlations.length).toBe(examples.length)
    for (const [i, [title, events, others = []]] of examples.entries()) {
      const block = correlations[i]!
      expect(block).toContain(title)
      const named = others.map((start) => {
        const other = blocks.find((one) => one.includes(start) && one !== block)!
        // The correlation that the text names otherwise in another example, and two rules that state no log source.
        const added = other.includes('correlation:') ? 'name: many_failed_logins' : 'logsource: { category: process_creation, product: windows }'
        return `${added}\n${other}`
      })
      const texts = [...named, block]
      const missing = new Set(events.map(([, rule]) => rule).filter((rule) => !texts.some((one) => one.includes(`name: ${rule}\n`))))
      const standIns = [...missing].map((rule) => standIn(rule, { kind: rule }))
      const { ruleSet, reports } = compileRules([...standIns, ...texts.map((one) => ({ text: one }))])
      expect(reports.filter(({ verdict }) => verdict !== 'compiled')).toEqual([])
      const outer = ruleSet.correlations.filter(({ rule }) => block.startsWith(`title: ${rule.title}`) || !block.startsWith('title'))
      const engine = new Engine(ruleSet)
      const found = [...engine.push(events.map(toTextEvent)), ...engine.finish()].filter((match) => match.kind === 'correlation')
      expect({ title, fired: found.map(({ rule }) => outer.includes(rule)) }).toEqual({ title, fired: [true] })
    }
  })
})

type TextEvent = readonly [second: number, rule: string, fields: EventObject]

/** One event a second; `{n}` is its number. */
function repeatEvent(count: number, [second, rule, fields]: TextEvent): TextEvent[] {
  return Array.from({ length: count }, (_, n) => {
    const own = Object.entries(fields).map(([name, value]) => [name, value === 'user{n}' ? `user${n}` : value])
    return [second + n, rule, Object.fromEntries(own)]
  })
}

function toTextEvent([second, kind, fields]: TextEvent): EventObject {
  const logsource = 'EventID' in fields ? { product: 'windows', service: 'security' } : { category: 'process_creation', product: 'windows' }
  return { '@timestamp': new Date(Date.UTC(2026, 0, 5, 8, 0, second)).toISOString(), '_logsource': logsource, kind, ...fields }
}

/** Creates a rule for a missing reference, with the logsource of the filter sample. */
function standIn(reference: string, selection: object = { EventID: 1 }): { readonly text: string } {
  const isId = /^[0-9a-f-]{36}$/.test(reference)
  const logsource = { category: 'process_creation', product: 'windows' }
  const detection = { selection, condition: 'selection' }
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
