import { describe, expect, test } from 'vitest'
import { Engine, RuleSet, limits } from '../src/index.ts'
import { compileObjects, ruleId } from './compile-objects.ts'
import { spelled } from './flat-events.ts'
import { encodeLines, parseLines } from './compare-push-paths.ts'
import { detectionMatches } from './detection-matches.ts'

/*
 * Fills the caches of an engine beyond their limits. Events and bytes share these caches, so that each may fill what the
 * other one uses.
 */

const logsource = { product: 'windows' }
const detections: readonly object[] = [
  { 'Image|endswith': 'who' }, { 'User|fieldref': 'ParentUser' }, { 'CommandLine|contains': 'needle' },
]
const { ruleSet } = compileObjects(detections.map((selection) => (
  { logsource, detection: { selection, condition: 'selection' } }
)))

const flat = '"Channel":"Microsoft-Windows-Sysmon/Operational","EventID":1'
const hit = `{${flat},"Image":"who"}`
const pieceLines = 10_000

/** Creates the nth line; every thousandth is a hit. */
type Write = (at: number) => string

const fillings: readonly [what: string, lineCount: number, write: Write][] = [
  ['values', 9_000, (at) => `{${flat},"CommandLine":"${String(at).padStart(2_000, '.')}"}`],
  ['short values', limits.kernelValuesMax + 5_000, (at) => `{${flat},"CommandLine":"${at}"}`],
  ['keys', 2 * limits.kernelKeysMax, (at) => `{${flat},"key ${at}":1,"key${at}":1}`],
  ['keys of parsed events', 2 * limits.cachedKeysMax, (at) => `{${flat},"a b":1,"key${at}":1}`],
  ['spellings', 2 * limits.spellingsMax, (at) => (
    `{${flat},"${spelled('commandline', at)}":1,"${spelled('parentuser', at)}":1}`)],
  ['providers', 100_000, (at) => `{"Provider_Name":"provider ${at}","EventID":1,"Image":"me"}`],
  ['channels', 3 * limits.routesMax, (at) => `{"Channel":"channel ${at}","EventID":${at},"Image":"me"}`],
  ['logsources', 2 * limits.routesMax + limits.batchRowsMax / 2, declaring],
]

function declaring(at: number): string {
  return `{"_logsource":{"category":"category ${at}"},"Image":"who"}`
}

/** Splits lines into chunks with the rows of the hits. */
function* piecesOf(lineCount: number, write: Write): Generator<{ readonly lines: string[]; readonly rows: number[] }> {
  for (let start = 0; start < lineCount; start += pieceLines) {
    const count = Math.min(pieceLines, lineCount - start)
    const lines = Array.from({ length: count }, (_, row) => (row % 1_000 === 0 ? hit : write(start + row)))
    yield { lines, rows: [...lines.keys()].filter((row) => row % 1_000 === 0) }
  }
}

describe('with more than the caches hold of', () => {
  test.for(fillings)('%s, bytes still match', ([, lineCount, write]) => {
    const engine = new Engine(ruleSet)
    for (const { lines, rows } of piecesOf(lineCount, write)) {
      expect(detectionMatches(engine.pushBytes(encodeLines(lines)).matches).map(({ row }) => row)).toEqual(rows)
    }
    expect(engine.counts.events).toBe(lineCount)
  })

  test.for(fillings)('%s in events, bytes before and after still match', ([, lineCount, write]) => {
    const engine = new Engine(ruleSet)
    let pushed = 0
    for (const { lines, rows } of piecesOf(Math.min(lineCount, 2 * pieceLines), write)) {
      expect(engine.pushBytes(encodeLines([hit, hit])).matches).toHaveLength(2)
      expect(detectionMatches(engine.push(parseLines(lines))).map(({ row }) => row)).toEqual(rows)
      pushed += lines.filter((line) => !line.includes('_logsource')).length + 2
    }
    expect(engine.pushBytes(encodeLines([hit])).matches).toHaveLength(1)
    // Events with a declared logsource route to no rule, and no event is lost.
    expect(engine.countEvaluations(ruleId(0))).toBe(pushed + 1)
  })
})

test('parsed lines fill the caches of unparsed lines in the same chunk', () => {
  const engine = new Engine(ruleSet)
  const declared = Array.from({ length: 3 * limits.routesMax }, (_, at) => declaring(at))
  for (let time = 0; time < 3; time++) {
    const { matches } = engine.pushBytes(encodeLines([hit, ...declared, hit]))
    expect(detectionMatches(matches).map(({ row }) => row)).toEqual([0, declared.length + 1])
  }
  expect(engine.countEvaluations(ruleId(0))).toBe(6)
})

describe('rules are swapped between chunks', () => {
  const rules = ruleSet.rules
  const line = `{${flat},"Image":"who","User":"x","ParentUser":"x","CommandLine":"needle","Fresh":"x","FRESH":"y"}`

  /** Lists the rules that match a line after each swap, in one engine. */
  function matchedAfter(ruleSets: readonly RuleSet[]): string[][] {
    const engine = new Engine(ruleSets[0]!)
    return ruleSets.map((next) => {
      engine.swap(next)
      const first = engine.pushBytes(encodeLines([line])).matches.map(({ rule }) => rule.id)
      expect(engine.pushBytes(encodeLines([line])).matches.map(({ rule }) => rule.id)).toEqual(first)
      expect(engine.push(parseLines([line])).map(({ rule }) => rule.id)).toEqual(first)
      return first
    })
  }

  /** A new rule on a new field. */
  function fresh(selection: object): RuleSet['rules'] {
    const rule = { id: ruleId(9), logsource, detection: { selection, condition: 'selection' } }
    return compileObjects([rule]).ruleSet.rules
  }

  test.for<[what: string, ruleSets: readonly RuleSet[], matched: string[][]]>([
    ['for nothing', [ruleSet, new RuleSet([]), ruleSet], [[0, 1, 2], [], [0, 1, 2]].map((ids) => ids.map(ruleId))],
    ['for fewer', [ruleSet, ruleSet.applyChange({ drop: [ruleId(1)] })], [[0, 1, 2], [0, 2]].map((ids) => ids.map(ruleId))],
    ['for nothing from the same', [ruleSet, ruleSet.applyChange({ drop: rules.map(({ id }) => id) }), ruleSet],
      [[0, 1, 2], [], [0, 1, 2]].map((ids) => ids.map(ruleId))],
    ['for one with a new field', [ruleSet, ruleSet.applyChange({ put: fresh({ Fresh: 'x' }) })],
      [[0, 1, 2], [0, 1, 2, 9]].map((ids) => ids.map(ruleId))],
    ['for one with a new field in another case', [ruleSet, ruleSet.applyChange({ put: fresh({ fresh: 'y' }) })],
      [[0, 1, 2], [0, 1, 2, 9]].map((ids) => ids.map(ruleId))],
    ['for one with a keyword', [ruleSet, ruleSet.applyChange({ put: fresh(['needle']) })],
      [[0, 1, 2], [0, 1, 2, 9]].map((ids) => ids.map(ruleId))],
    ['for one with new fields to compare', [ruleSet, ruleSet.applyChange({ put: fresh({ 'Fresh|fieldref': 'User' }) })],
      [[0, 1, 2], [0, 1, 2, 9]].map((ids) => ids.map(ruleId))],
    ['for others in another order', [ruleSet, new RuleSet(rules.toReversed())],
      [[0, 1, 2], [2, 1, 0]].map((ids) => ids.map(ruleId))],
  ])('%s', ([, ruleSets, matched]) => {
    expect(matchedAfter(ruleSets)).toEqual(matched)
  })

  test('any number of times', () => {
    const engine = new Engine(ruleSet)
    let edited = ruleSet
    for (let time = 0; time < 300; time++) {
      edited = edited.applyChange({ put: fresh({ 'CommandLine|contains': time % 2 === 0 ? 'needle' : 'nothing' }) })
      engine.swap(edited)
      expect(detectionMatches(engine.pushBytes(encodeLines([line, hit])).matches).map(({ row }) => row)).toEqual(
        time % 2 === 0 ? [0, 0, 0, 0, 1] : [0, 0, 0, 1])
    }
    expect(engine.countEvaluations(ruleId(0))).toBe(600)
  })
})
