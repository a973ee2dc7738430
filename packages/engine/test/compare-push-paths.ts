import { expect } from 'vitest'
import { Engine, parseEvent } from '../src/index.ts'
import type { EngineOptions, EventObject, Match, RuleSet } from '../src/index.ts'
import { eventsBeforeKernelMin } from '../src/run/value-runner.ts'
import { detectionMatches } from './detection-matches.ts'

/** Parses the events of lines, skipping lines that are not events. */
export function parseLines(lines: readonly string[]): EventObject[] {
  return lines.flatMap((line) => {
    const parsed = parseEvent(line.trim())
    return 'event' in parsed ? [parsed.event] : []
  })
}

export function encodeLines(lines: readonly string[]): Uint8Array {
  return Uint8Array.from(Buffer.from(lines.join('\n')))
}

/** Prints the parts of matches that do not depend on the input path. */
export function printMatches(matches: readonly Match[]): string[] {
  return detectionMatches(matches).map(({ row, rule }) => `event ${row} rule ${rule.id}`)
}

/** Creates an engine that has seen enough events to serialize objects for the kernel. */
export function createWritingEngine(ruleSet: RuleSet, options: EngineOptions = {}): Engine {
  const engine = new Engine(ruleSet, options)
  engine.push(Array.from({ length: eventsBeforeKernelMin }, () => ({})))
  return engine
}

/**
 * Pushes lines of events through all input paths: without the kernel, as objects both walked and serialized, and as
 * bytes, twice to use the filled caches. Expects the same matches from each and returns them.
 */
export function expectSameMatches(ruleSet: RuleSet, lines: readonly string[]): readonly Match[] {
  const events = parseLines(lines)
  expect(events).toHaveLength(lines.length)
  const expected = new Engine(ruleSet, { plain: true }).push(events)
  const engine = new Engine(ruleSet)
  expect(printMatches(engine.push(events)), 'as events').toEqual(printMatches(expected))
  expect(printMatches(createWritingEngine(ruleSet).push(events)), 'as events that are written').toEqual(printMatches(expected))
  const bytesEngine = new Engine(ruleSet)
  const bytes = encodeLines(lines)
  for (const time of ['first', 'second']) {
    const { matches, malformed, eventCount } = bytesEngine.pushBytes(bytes)
    expect(malformed).toEqual([])
    expect(eventCount).toBe(lines.length)
    expect(printMatches(matches), `as bytes, the ${time} time`).toEqual(printMatches(expected))
  }
  return expected
}
