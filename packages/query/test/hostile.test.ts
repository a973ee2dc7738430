import type { EventObject } from '@tripline/engine'
import { expectProcessorTime, getThreadCpuMs } from '@tripline/engine/test/processor-time'
import { expect, test } from 'vitest'
import { QueryError, compileQuery, completeQuery, draftRule, formatQueryError, limits, lowerQuery } from '../src/index.ts'
import type { CompiledQuery } from '../src/index.ts'
import { hostileQueries } from './hostile-queries.ts'
import { SqliteEvents } from './sqlite-events.ts'

/** Milliseconds; generous: what is over it hangs. */
const durationMax = 1_000

const letters = 'a'.repeat(65_536)
const events: readonly EventObject[] = [
  { f: letters, message: letters, bytes: 5, t: '2026-05-06', ip: '10.0.0.1', a: { a: { a: 'x' } } },
  { f: Array.from({ length: 1_000 }, (_, i) => `a${i}`), message: `${letters}b`, bytes: '1e999', t: 'never', ip: ['::', 'x'] },
  JSON.parse('{ "__proto__": "x", "constructor": { "prototype": { "polluted": "x" } }, "": "" }') as EventObject,
]

const stored = new SqliteEvents(['f', 'message', 'bytes', 't', 'ip', '__proto__', ''])
stored.fill(events)

test('there are 80 of them at least', () => {
  expect(hostileQueries.length).toBeGreaterThanOrEqual(80)
})

test.for(hostileQueries)('%s', ([, text, expected]) => {
  const startedMs = getThreadCpuMs()
  const outcome = compiledOrRefused(text)
  expect(outcome instanceof QueryError ? outcome.code : 'answered').toBe(expected)
  if (outcome instanceof QueryError) {
    expect(outcome.position).toBeLessThanOrEqual(text.length)
    expect(outcome.message.length).toBeLessThan(500)
    expect(formatQueryError(text, outcome).length).toBeLessThan(1_000)
  } else {
    const rows = outcome.findRows(events)
    expect(stored.search(lowerQuery(outcome.query)).found).toEqual(rows)
    draftRule(outcome.query, { title: 'x', logsource: { product: 'any' } })
  }
  const { suggestions } = completeQuery(text, text.length, { fields: [{ name: 'f', type: 'text', topValues: ['x'] }] })
  expect(suggestions.length).toBeLessThanOrEqual(limits.suggestionsMax)
  expectProcessorTime(getThreadCpuMs() - startedMs, durationMax)
  expect(({} as { polluted?: unknown }).polluted).toBe(undefined)
})

function compiledOrRefused(text: string): CompiledQuery | QueryError {
  try {
    return compileQuery(text, { taxonomy: 'none' })
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
}
