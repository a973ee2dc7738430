import { expect } from 'vitest'
import { Engine, parseEvent } from '../src/index.ts'
import type { EngineOptions, EventObject, Match, RuleSet } from '../src/index.ts'
import { eventsBeforeKernelMin } from '../src/run/object-runner.ts'
import { detectionMatches } from './detection-matches.ts'

/** The events of lines, in order; a line that holds none is passed over. */
export function parseLines(lines: readonly string[]): EventObject[] {
  return lines.flatMap((line) => {
    const parsed = parseEvent(line.trim())
    return 'event' in parsed ? [parsed.event] : []
  })
}

export function encodeLines(lines: readonly string[]): Uint8Array {
  return Uint8Array.from(Buffer.from(lines.join('\n')))
}

/** What of a match does not depend on how its event was pushed. */
export function printMatches(matches: readonly Match[]): string[] {
  return detectionMatches(matches).map(({ row, rule }) => `event ${row} rule ${rule.id}`)
}

/** An engine that has met so many events that it writes objects as lines, for the kernel. */
export function createWritingEngine(ruleSet: RuleSet, options: EngineOptions = {}): Engine {
  const engine = new Engine(ruleSet, options)
  engine.push(Array.from({ length: eventsBeforeKernelMin }, () => ({})))
  return engine
}

/**
 * Pushes lines that all hold events: plainly, as events, some of which are walked and some written, and as bytes,
 * twice, so that what was learned is used as well. Expects the same of each way and gives the matches.
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
