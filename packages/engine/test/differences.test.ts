import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { Engine, compileRules } from '../src/index.ts'
import type { EventObject } from '../src/index.ts'
import { eachSharedLine, testWithShared } from './read-shared-data.ts'
import { activeFolders, sigmaRules, sigmaRulesFile } from './sigma-rules.ts'
import { detectionMatches } from './detection-matches.ts'

/*
 * Compares the engine on real events with another evaluator, which is small, slow and not always right. Every difference
 * is listed with its reason.
 */

/** A rule on which the two differ: `ours` is a match that only the engine finds. */
type Difference = { file: string; rule_id: string; direction: 'ours' | 'theirs'; count: number; why: string }

const known: readonly Difference[] = JSON.parse(readFileSync(new URL('known-differences.json', import.meta.url), 'utf8'))

/** Compares every 8th Windows event, and all events that the other evaluator matches. */
const sampleStep = process.env['TRIPLINE_FULL'] === '1' ? 1 : 8
const sample = sampleStep === 1 ? 'all' : 'every 8th event and all that are matched, of'

describe('the engine and the reference matches differ only in known cases', () => {
  testWithShared(filesOf('windows-dev'), `windows-dev: ${sample} 303,666 events (TRIPLINE_FULL=1 compares all)`, () => {
    expectKnownDifferences('windows-dev', sampleStep, { lines: 303_666, matches: 6_437 })
  })

  testWithShared(filesOf('other-dev'), 'other-dev: all 24,795 events', () => {
    expectKnownDifferences('other-dev', 1, { lines: 24_795, matches: 626 })
  })
})

function filesOf(file: string): string[] {
  return [sigmaRulesFile, `events-${file}.ndjson.gz`, `reference-matches-${file}.ndjson.gz`]
}

function expectKnownDifferences(file: string, step: number, total: { lines: number; matches: number }): void {
  const comparison = compare(file, step)
  expect(comparison.lineCount).toBe(total.lines)
  const knownHere = known.filter((difference) => difference.file === file)
  const theirsOnlyCount = knownHere.filter(({ direction }) => direction === 'theirs').reduce((sum, { count }) => sum + count, 0)
  expect(comparison.agreedCount).toBe(total.matches - theirsOnlyCount)
  const listed = new Map(knownHere.map(({ direction, rule_id, count }) => [`${direction} ${rule_id}`, count]))
  if (step === 1) expect(comparison.differences).toEqual(listed)
  for (const [difference, count] of comparison.differences) {
    expect(listed.get(difference) ?? 0, difference).toBeGreaterThanOrEqual(count)
  }
}

type Comparison = { lineCount: number; agreedCount: number; differences: Map<string, number> }

/** Counts the common matches, and for each rule those that only one of the two has. */
function compare(file: string, step: number): Comparison {
  const engine = new Engine(compileRules(sigmaRules(activeFolders)).ruleSet)
  const expected = readReferenceMatches(file)
  const comparison: Comparison = { lineCount: 0, agreedCount: 0, differences: new Map() }
  let lines: number[] = []
  let events: EventObject[] = []
  const compareBatch = (): void => {
    const found = Map.groupBy(detectionMatches(engine.push(events)), ({ row }) => row)
    for (const [row, line] of lines.entries()) {
      const ours = new Set(found.get(row)?.map(({ rule }) => rule.id))
      addLine(comparison, ours, expected.get(line) ?? new Set())
    }
    lines = []
    events = []
  }
  for (const text of eachSharedLine(`events-${file}.ndjson.gz`)) {
    const line = comparison.lineCount++
    if (line % step !== 0 && !expected.has(line)) continue
    lines.push(line)
    events.push(JSON.parse(text))
    if (events.length === 4_096) compareBatch()
  }
  compareBatch()
  return comparison
}

function addLine(comparison: Comparison, ours: ReadonlySet<string>, theirs: ReadonlySet<string>): void {
  const { differences } = comparison
  const count = (difference: string) => differences.set(difference, (differences.get(difference) ?? 0) + 1)
  for (const id of ours) {
    if (theirs.has(id)) comparison.agreedCount++
    else count(`ours ${id}`)
  }
  for (const id of theirs) {
    if (!ours.has(id)) count(`theirs ${id}`)
  }
}

/** Reads the rules that match each line, by line number from 0. */
function readReferenceMatches(file: string): ReadonlyMap<number, ReadonlySet<string>> {
  const lines = [...eachSharedLine(`reference-matches-${file}.ndjson.gz`)].map((text) =>
    JSON.parse(text) as { line: number; rules: string[] })
  return new Map(lines.map(({ line, rules }) => [line, new Set(rules)]))
}
