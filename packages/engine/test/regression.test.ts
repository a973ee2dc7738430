import { describe, expect } from 'vitest'
import { Engine, compileRules } from '../src/index.ts'
import type { EventObject, Logsource, DetectionMatch, RuleSet } from '../src/index.ts'
import { readSharedJson, readSharedLines, testWithShared } from './read-shared-data.ts'
import { activeFolders, sigmaRules, sigmaRulesFile } from './sigma-rules.ts'
import { detectionMatches } from './detection-matches.ts'

/** The regression events of SigmaHQ: flat with the field names of rules, and nested as recorded. */
const files = ['regression-dev.ndjson.gz', 'regression-original-dev.ndjson.gz']
const ruleCount = 121
const mapFile = 'logsource-map.json'

/** The rule of a regression event, and whether it should match. */
type Expectation = { readonly rule_id: string; readonly match: boolean }

describe.for(files)('the events of %s', (file) => {
  testWithShared([sigmaRulesFile, file], `hit ${ruleCount} of ${ruleCount} rules`, () => {
    const { expectations, matches } = findMatches(file)
    const rulesHit = new Set(expectations.filter(({ rule_id }, row) => isHit(matches, row, rule_id)).map(({ rule_id }) => rule_id))
    expect(new Set(expectations.map(({ rule_id }) => rule_id))).toEqual(rulesHit)
    expect(rulesHit.size).toBe(ruleCount)
  })

  testWithShared([sigmaRulesFile, file], 'match their rule exactly when expected', () => {
    const { expectations, matches } = findMatches(file)
    const outcomes = expectations.map(({ rule_id }, row) => `event ${row}, rule ${rule_id}: ${isHit(matches, row, rule_id)}`)
    expect(outcomes).toEqual(expectations.map(({ rule_id, match }, row) => `event ${row}, rule ${rule_id}: ${match}`))
  })

  testWithShared([sigmaRulesFile, file, mapFile], 'match no rule of another logsource', () => {
    const { events, matches } = findMatches(file)
    const map = readSharedJson(mapFile) as LogsourceMap
    const logsources = events.map((event) => findLogsources(event, map))
    const strangers = matches.filter(({ row, rule }) => !logsources[row]?.some((own) => contains(rule.logsource, own)))
    expect(strangers.map(({ row, rule }) => `event ${row}, rule ${rule.id}`)).toEqual([])
    expect(matches.length).toBeGreaterThan(ruleCount)
  })
})

let ruleSet: RuleSet | undefined

function findMatches(file: string): { expectations: Expectation[]; events: EventObject[]; matches: DetectionMatch[] } {
  const lines = readSharedLines(file)
  const expectations = lines.map((line) => line['_sigma'] as Expectation)
  const events = lines.map(({ _sigma, ...event }) => event)
  ruleSet ??= compileRules(sigmaRules(activeFolders)).ruleSet
  return { expectations, events, matches: detectionMatches(new Engine(ruleSet).push(events)) }
}

function isHit(matches: readonly DetectionMatch[], row: number, ruleId: string): boolean {
  return matches.some((match) => match.row === row && match.rule.id === ruleId)
}

type LogsourceMap = {
  readonly product: string
  readonly channel_to_service: { readonly [channel: string]: readonly string[] }
  readonly category_rules: readonly {
    readonly category: string
    readonly channel_service: string
    readonly conditions: { readonly EventID?: number | readonly number[]; readonly EventType?: string }
  }[]
}

type Scalar = string | number

type NestedEvent = { readonly Event?: { readonly System: EventObject; readonly EventData?: EventObject } }

/** Finds the logsources of an event with the shared table instead of that of the engine. */
function findLogsources(event: EventObject & NestedEvent, map: LogsourceMap): Logsource[] {
  const { product, channel_to_service, category_rules } = map
  const header = event.Event?.System ?? event
  const data = event.Event?.EventData ?? event
  const services = channel_to_service[String(header['Channel'])] ?? []
  const categories = category_rules.filter(({ channel_service, conditions: { EventID, EventType } }) =>
    services.includes(channel_service) && isOneOf(EventID, header['EventID']) && isOneOf(EventType, data['EventType']))
  return [
    ...services.map((service) => ({ product, service })),
    ...categories.map(({ category, channel_service }) => ({ product, category, service: channel_service })),
  ]
}

function isOneOf(allowed: Scalar | readonly Scalar[] | undefined, value: unknown): boolean {
  const values: readonly unknown[] = [allowed].flat()
  return allowed === undefined || values.includes(value)
}

function contains(rule: Logsource, event: Logsource): boolean {
  return (rule.category === undefined || rule.category === event.category)
    && (rule.product === undefined || rule.product === event.product)
    && (rule.service === undefined || rule.service === event.service)
}
