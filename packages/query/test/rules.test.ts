import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRules } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import type { Predicate } from '@tripline/engine/predicate'
import { draftRule, exactName, lowerQuery, parseQuery, printPredicateAsQuery } from '../src/index.ts'
import { somePredicate } from './generate-predicates.ts'
import { someEvent, someQuery } from './generate-queries.ts'
import { parsed } from './parsed.ts'
import { rowsOf } from './sqlite-events.ts'

/*
 * Queries as rules and rules as queries: what was said in the other language finds the same events.
 * TRIPLINE_SEED sets another seed.
 */

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)
const someEvents = fc.array(someEvent, { minLength: 4, maxLength: 4 })

describe(`in the other language, seed ${seed}`, () => {
  test('a random query drafts as a rule that finds the same', () => {
    let [saidCount, foundCount] = [0, 0]
    fc.assert(fc.property(someQuery, someEvents, (text, events) => {
      const query = parsed(text)
      if (query === undefined) return
      const draft = draftRule(query, { title: 'A search', logsource: { product: 'any' } })
      if ('unsaid' in draft) return
      const rows = rowsOf(lowerQuery(query, { resolveNames: exactName }), events)
      expect(rowsOf(predicateOf(draft.yaml), events), draft.yaml).toEqual(rows)
      saidCount++
      foundCount += rows.length
    }), { seed, numRuns: 3_000 })
    expect(saidCount).toBeGreaterThan(1_500)
    expect(foundCount).toBeGreaterThan(1_000)
  })

  test('a random predicate prints as a query that finds the same', () => {
    let [saidCount, foundCount] = [0, 0]
    fc.assert(fc.property(somePredicate, someEvents, (predicate, events) => {
      const said = printPredicateAsQuery(predicate)
      if ('unsaid' in said) return
      const rows = rowsOf(predicate, events)
      expect(rowsOf(lowerQuery(parseQuery(said.text), { resolveNames: exactName }), events), said.text).toEqual(rows)
      saidCount++
      foundCount += rows.length
    }), { seed, numRuns: 6_000 })
    expect(saidCount).toBeGreaterThan(1_500)
    expect(foundCount).toBeGreaterThan(1_000)
  })

  test('a query comes back from a rule in its own words, or in others that draft the same rule', () => {
    fc.assert(fc.property(someQuery, (text) => {
      const query = parsed(text)
      const draft = query && draftRule(query, { title: 'A search', logsource: { product: 'any' } })
      if (draft === undefined || 'unsaid' in draft) return
      const said = printPredicateAsQuery(predicateOf(draft.yaml))
      expect('text' in said && printPredicateAsQuery(lowerQuery(parseQuery(said.text), { resolveNames: exactName }))).toEqual(said)
    }), { seed, numRuns: 1_000 })
  })
})

describe('rules of the fixtures', () => {
  const fixtures = join(import.meta.dirname, '../../../fixtures')
  const read = (path: string): string => readFileSync(join(fixtures, path), 'utf8')
  const pathsIn = (folder: string, ending: string): string[] =>
    readdirSync(join(fixtures, folder)).filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`)

  const sources = pathsIn('rules', '.yml').map((path) => ({ path, text: read(path) }))
  const { rules } = compileRules(sources, { placeholders: JSON.parse(read('placeholders.json')) as { readonly [name: string]: readonly string[] } }).ruleSet
  const events = pathsIn('events', '.ndjson').flatMap((path) => read(path).split('\n').filter((line) => line !== ''))
    .map((line) => JSON.parse(line) as EventObject)

  test('find the same as queries, where they can be said', () => {
    let [saidCount, foundCount] = [0, 0]
    for (const { predicate, title } of rules) {
      const said = printPredicateAsQuery(predicate)
      if ('unsaid' in said) continue
      const rows = rowsOf(predicate, events)
      expect(rowsOf(lowerQuery(parseQuery(said.text), { resolveNames: exactName }), events), `${title}: ${said.text}`).toEqual(rows)
      saidCount++
      foundCount += rows.length
    }
    expect(saidCount / rules.length).toBeGreaterThan(0.7)
    expect(foundCount).toBeGreaterThan(10)
  })
})

function predicateOf(yaml: string): Predicate {
  const { ruleSet, reports } = compileRules([{ text: yaml }])
  const [rule] = ruleSet.rules
  if (rule === undefined) throw new Error(`${JSON.stringify(reports)}\n${yaml}`)
  return rule.predicate
}
