import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { EventObject, Match } from '../src/index.ts'
import { compileObjects } from './compile-objects.ts'
import { placeholders } from './generate/generate-items.ts'
import { events, rules } from './generate/generate.ts'
import { detectionMatches } from './detection-matches.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

/** The fields that make a random event a flat Windows event, which the engine reads from bytes. */
const origin = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1 }
const logsource = { product: 'windows' }

const flatEvents = events.map((event) => ({ ...event, ...origin }))
/** Escape every nth letter; 0 for none. */
const writing = fc.constantFrom(0, 2, 3, 5)

test(`an engine matches events and their bytes alike, seed ${seed}`, () => {
  let matchCount = 0
  const someRules = fc.array(rules, { minLength: 1, maxLength: 8, size: 'max' })
  const someEvents = fc.array(flatEvents, { minLength: 1, maxLength: 6, size: 'max' })
  fc.assert(fc.property(someRules, someEvents, writing, (ruleObjects, batch, every) => {
    const { ruleSet } = compileObjects(ruleObjects.map((rule) => ({ ...rule, logsource })), { placeholders })
    const lines = batch.map((event) => write(event, every))
    const expected = printed(new Engine(ruleSet).push(batch))
    const engine = new Engine(ruleSet)
    const bytes = Uint8Array.from(Buffer.from(lines.join('\n')))
    expect(printed(engine.pushBytes(bytes).matches)).toEqual(expected)
    // Once more with filled caches.
    expect(printed(engine.pushBytes(bytes).matches)).toEqual(expected)
    matchCount += expected.length
  }), { seed, numRuns: 300 })
  expect(matchCount).toBeGreaterThan(500)
})

function printed(matches: readonly Match[]): string[] {
  return detectionMatches(matches).map(({ row, rule }) => `event ${row} rule ${rule.id}`)
}

/** Prints an event as JSON and escapes every nth letter of its texts. */
function write(event: EventObject, every: number): string {
  const parts = Object.entries(event).map(([name, value]) => {
    const text = JSON.stringify(value)
    const isPlain = typeof value === 'string' && !text.includes('\\')
    return `${JSON.stringify(name)}:${isPlain ? text.replaceAll(/[a-z]/gi, (letter, at: number) => (
      at % every === 1 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter)) : text}`
  })
  return `{${parts.join(',')}}`
}
