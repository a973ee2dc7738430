import type { EventObject } from '@tripline/engine'
import type { Predicate } from '@tripline/engine/predicate'
import { testWithShared } from '@tripline/engine/test/read-shared-data'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertPredicate } from '../src/index.ts'
import { findRows, listFields, toEventTable } from  './engines/event-table.ts'
import type { QueryResult } from './engines/event-table.ts'
import { longRules, ownRules, readSharedRules, sharedFiles } from './engines/converted-rules.ts'
import type { RulesAndEvents } from './engines/converted-rules.ts'
import { queryEngines } from './engines/query-engines.ts'
import type { QueryEngine } from './engines/query-engines.ts'
import { somePredicate } from './generate-predicates.ts'
import { someText } from './generate-queries.ts'

/*
 * Converted rules in the systems that they are converted for: each finds the events that the rule finds.
 * TRIPLINE_SEED sets another seed.
 */

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_129)

type Comparison = { readonly convertedCount: number; readonly foundCount: number; readonly different: readonly string[] }

/** Converts predicates, runs the queries, and compares what they find with what the predicates find. */
async function compareEach({ target, run, confuses, readsPaths, cannotRun }: QueryEngine, all: readonly RulesAndEvents[]): Promise<Comparison[]> {
  const searches = all.map((one) => {
    const events = confuses === undefined ? one.events : one.events.map((event) => dropTexts(event, confuses))
    const predicates = one.predicates.filter((predicate) => readsPaths !== true || !listFields(predicate).some((name) => name.includes('.')))
    const converted = predicates.flatMap((predicate) => {
      const result = convertPredicate(predicate, target, 'events')
      return 'query' in result && cannotRun?.(result.query) !== true ? [{ predicate, query: result.query }] : []
    })
    return {
      expected: findRows(converted.map(({ predicate }) => predicate), events),
      table: toEventTable(events, predicates),
      queries: converted.map(({ query }) => query),
    }
  })
  const results = await run(searches.map(({ table, queries }) => ({ table, queries })))
  return searches.map(({ expected, queries }, at) => {
    expect(results[at]).toHaveLength(queries.length)
    const different = queries.flatMap((query, i) => {
      const result = results[at]![i]!
      return JSON.stringify(result) === JSON.stringify({ found: expected[i] }) ? [] : [describeDifference(expected[i]!, result, query)]
    })
    return { different: different.slice(0, 5), convertedCount: queries.length, foundCount: expected.flat().length }
  })
}

function dropTexts(event: EventObject, isDropped: (text: string) => boolean): EventObject {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => typeof value !== 'string' || !isDropped(value)))
}

function describeDifference(expected: readonly number[], result: QueryResult, query: string): string {
  const text = query.length < 600 ? query : `${query.slice(0, 600)}...`
  if ('error' in result) return `${result.error.slice(0, 300)}: ${text}`
  const [lost, added] = [expected.filter((row) => !result.found.includes(row)), result.found.filter((row) => !expected.includes(row))]
  return `lost ${lost.slice(0, 5).join(' ')}, added ${added.slice(0, 5).join(' ')}: ${text}`
}

const someRow = fc.record({
  Image: fc.constantFrom(
    'C:\\cmd.exe', 'c:\\CMD.EXE', 'a%b', 'a_b', 'aXb', 'a\nb', 'x*y', 'xzzy', '', 'A', 'ab', "it's", 'run -f x', 'run /F x', 'nul',
  ),
  User: fc.constantFrom('root', 'ROOT', 'admin', 'eve', 'éva', 'STRASSE', 'straße'),
  EventID: fc.constantFrom(1, '1', 2, '4624', 10.5, '10.6', 'x', '', 0, ' 1', '1 '),
  Ip: fc.constantFrom('10.1.2.3', '172.16.0.1', '172.32.0.1', '192.168.1.7', '192.168.1.70', '100.1.1.1', 'fe80::1', '::1', '::ffff:10.1.2.3', 'x'),
  Enabled: fc.constantFrom(true, false, 'True', '1', 1),
  'a-b.1c': fc.constantFrom('x', 'X', 'y'),
  'a b': fc.constantFrom('xyz', 'x'),
  'it\'s "a" `b`': fc.constantFrom('', 'x'),
}, { requiredKeys: [] })

/** No database stores the character of code 0, or half of a pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function isUnstorable(predicate: Predicate): boolean {
  return JSON.stringify(predicate, (_, value: unknown) => typeof value === 'string' && !isStorable(value) ? 'unstorable text' : typeof value === 'bigint' ? 0 : value).includes('unstorable text')
}

/** Values of the fields that random predicates read */
const someColumn = fc.oneof(someText.filter(isStorable), fc.constantFrom<unknown>(0, 1, 5, -1, 1.5, true, false))
const someFlatEvent = fc.record({ a: someColumn, b: someColumn, 'c.d': someColumn, 'Threat Name': someColumn, message: someColumn }, { requiredKeys: [] })

describe(`what rules find, seed ${seed}`, () => {
  const own = { predicates: ownRules, events: fc.sample(someRow, { numRuns: 200, seed }) }
  const long = {
    predicates: longRules,
    events: ['v0.exe', 'V2499.exe', 'v2500.exe', `md5=1,sha256=${'7'.padStart(64, '0')}`].map((Image) => ({ Image })),
  }
  const random = fc.sample(somePredicate, { numRuns: 600, seed }).filter((predicate) => !isUnstorable(predicate))
  const flatEvents = fc.sample(someFlatEvent, { numRuns: 100, seed })

  for (const engine of queryEngines) {
    const { name, missing, oneIn = 1 } = engine
    const isSampled = (_: unknown, at: number): boolean => at % oneIn === 0
    test.skipIf(missing !== undefined)(missing === undefined ? name : `${name} (skipped: ${missing})`, async () => {
      const [ofOwn, ofLong, ofRandom] = await compareEach(engine, [own, long, { predicates: random.filter(isSampled), events: flatEvents }])
      expect([ofOwn, ofLong, ofRandom].flatMap((one) => one!.different)).toEqual([])
      expect(ofOwn!.convertedCount).toBeGreaterThan(ownRules.length * 0.65)
      expect(ofOwn!.foundCount).toBeGreaterThan(300)
      const runsLong = [60_000, 250_000].map((length) => engine.cannotRun?.('x'.repeat(length)) !== true)
      expect(ofLong!.foundCount).toBe((runsLong[0] === true ? 2 : 0) + (runsLong[1] === true ? 1 : 0))
      expect(ofRandom!.convertedCount).toBeGreaterThan(120 / oneIn)
      expect(ofRandom!.foundCount).toBeGreaterThan(1_000 / oneIn)
    })

    if (missing !== undefined) continue
    testWithShared(sharedFiles, `${name}, with rules of SigmaHQ`, async () => {
      const { predicates, events } = readSharedRules()
      const sample = predicates.filter(isSampled)
      const [comparison] = await compareEach(engine, [{ predicates: sample, events }])
      expect(comparison!.different).toEqual([])
      expect(comparison!.convertedCount / sample.length).toBeGreaterThan(0.8)
      expect(comparison!.foundCount).toBeGreaterThan(100 / oneIn)
    })
  }
})
