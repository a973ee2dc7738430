import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QueryError, completeQuery, parseQuery, printQuery } from '../src/index.ts'
import type { CompletionCatalog, Query } from '../src/index.ts'
import { someQuery, someSoup } from './generate-queries.ts'
import { parsed } from './parsed.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

const catalog: CompletionCatalog = {
  fields: [
    { name: 'a', type: 'text', topValues: ['x', 'a b', '"', 'or', '', '*', '\ud83d', 12, null] },
    { name: 'Threat Name', type: 'number', topValues: [1, 1e300] },
  ],
}

/** A query as data, without where its parts stand. */
function withoutSpans(query: Query): unknown {
  return JSON.parse(JSON.stringify(query, (key, value: unknown) => (key === 'span' ? undefined : value)))
}

describe(`random queries, seed ${seed}`, () => {
  test('10,000 of them print to a text that parses to the same tree and prints as itself', () => {
    let validCount = 0
    fc.assert(fc.property(someQuery, (text) => {
      const query = parsed(text)
      if (query === undefined) return
      validCount++
      const printed = printQuery(query)
      const again = parseQuery(printed)
      expect(withoutSpans(again), printed).toEqual(withoutSpans(query))
      expect(printQuery(again)).toBe(printed)
    }), { seed, numRuns: 10_000 })
    expect(validCount).toBeGreaterThan(8_000)
  })

  test('any text is a query or refused with its place', () => {
    let [validCount, refusedCount] = [0, 0]
    fc.assert(fc.property(someSoup, (text) => {
      try {
        const printed = printQuery(parseQuery(text))
        expect(printQuery(parseQuery(printed))).toBe(printed)
        validCount++
      } catch (error) {
        if (!(error instanceof QueryError)) throw error
        expect(error.position).toBeGreaterThanOrEqual(0)
        expect(error.position).toBeLessThanOrEqual(text.length)
        refusedCount++
      }
    }), { seed, numRuns: 10_000 })
    expect(validCount).toBeGreaterThan(500)
    expect(refusedCount).toBeGreaterThan(500)
  })

  test('what is suggested stands around the cursor, and as the only word it is a query', () => {
    let suggestedCount = 0
    fc.assert(fc.property(someSoup, fc.nat(20), (text, place) => {
      const cursor = Math.min(place, text.length)
      const { suggestions, replaced } = completeQuery(text, cursor, catalog)
      expect(replaced.start <= cursor && cursor <= replaced.end && replaced.end <= text.length).toBe(true)
      for (const { kind, text: suggested } of suggestions) {
        if (kind === 'field') expect(() => parseQuery(`${suggested}x`)).not.toThrow()
        if (kind === 'value') expect(() => parseQuery(`a:(${suggested} OR x)`)).not.toThrow()
        suggestedCount++
      }
    }), { seed, numRuns: 5_000 })
    expect(suggestedCount).toBeGreaterThan(5_000)
  })
})
