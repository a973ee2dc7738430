import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explainPredicate, normalizeEvent } from '@tripline/engine/predicate'
import { QueryError, compileQuery, exactName, lowerQuery, listFieldNames, parseQuery } from '../src/index.ts'
import type { CompiledQuery } from '../src/index.ts'
import { fieldNames, someEvent, someQuery } from './generate-queries.ts'
import { somePredicate } from './generate-predicates.ts'
import { referenceMatches } from './reference.ts'
import { events, searchRows } from './search-rows.ts'
import { SqliteEvents, rowsOf } from './sqlite-events.ts'

/*
 * One table of queries and events, asked in three ways: by closures, by the reference evaluator, and by SQL with
 * what SQL leaves over. Then the same on random queries and events. TRIPLINE_SEED sets another seed.
 */

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

describe('what a query finds', () => {
  const names = [
    ...new Set(events.flatMap((event) => Object.keys(event)).flatMap(listFieldNames)), 'dotted.name', 'list.name', 'process.executable',
    'process.command_line', 'user.name', 'CommandLine', 'constructor', '__proto__',
  ]
  const stored = new SqliteEvents([...new Set(names)])
  stored.fill(events)

  test.for(searchRows)('%s', ([text, rows]) => {
    const compiled = compileQuery(text, { taxonomy: 'none' })
    expect(compiled.findRows(events)).toEqual(rows)
    expect(events.flatMap((event, row) => (compiled.matches(event) ? [row] : []))).toEqual(rows)
    const { bySql, found } = stored.search(compiled.predicate)
    expect(found).toEqual(rows)
    expect(bySql).toEqual(expect.arrayContaining([...rows]))
  })

  // The reference knows no addresses that carry others.
  test.for(searchRows.filter(([text]) => !text.includes('/8') && !text.includes('/16')))('%s, by the reference evaluator', ([text, rows]) => {
    const query = parseQuery(text)
    expect(events.flatMap((event, row) => (referenceMatches(query, event, { namesOf: listFieldNames }) ? [row] : []))).toEqual(rows)
  })

  test('most of it is found by SQL alone', () => {
    const whole = searchRows.filter(([text]) => stored.search(compileQuery(text).predicate).isWhole)
    // Regular expressions and comparisons with every field are for what SQL leaves over.
    expect(whole.length / searchRows.length).toBeGreaterThan(0.8)
  })

  test('shapes of events are recognized as the engine does', () => {
    const event = { Channel: 'Security', Provider_Name: 'Microsoft-Windows-Security-Auditing', EventID: 4688, NewProcessName: 'a.exe' }
    expect(compileQuery('process.executable:A.EXE').matches(event)).toBe(true)
    expect(compileQuery('Image:a.exe eventid:4688').matches(event)).toBe(true)
    expect(compileQuery('Image:a.exe', { taxonomy: 'none' }).matches(event)).toBe(false)
  })
})

describe(`random queries and events, seed ${seed}`, () => {
  const someEvents = fc.array(someEvent, { minLength: 4, maxLength: 4 })
  const stored = new SqliteEvents(fieldNames)

  test('closures, the reference evaluator and SQL find the same', () => {
    let [askedCount, foundCount, wholeCount] = [0, 0, 0]
    fc.assert(fc.property(someQuery, someEvents, (text, batch) => {
      const compiled = compiledOrRefused(text)
      if (compiled === undefined) return
      const rows = compiled.findRows(batch)
      expect(batch.flatMap((event, row) => (referenceMatches(compiled.query, event, { namesOf: exactName }) ? [row] : []))).toEqual(rows)
      stored.fill(batch)
      const { bySql, found, isWhole } = stored.search(compiled.predicate)
      expect(found).toEqual(rows)
      expect(bySql).toEqual(expect.arrayContaining([...rows]))
      askedCount += batch.length
      foundCount += rows.length
      wholeCount += isWhole ? batch.length : 0
    }), { seed, numRuns: 3_000 })
    expect(foundCount / askedCount).toBeGreaterThan(0.1)
    expect(foundCount / askedCount).toBeLessThan(0.7)
    expect(wholeCount / askedCount).toBeGreaterThan(0.5)
  })

  test('SQL and what it leaves over find what predicates of rules find', () => {
    let [foundCount, partCount] = [0, 0]
    fc.assert(fc.property(somePredicate, someEvents, (predicate, batch) => {
      const rows = rowsOf(predicate, batch)
      stored.fill(batch)
      const { bySql, found, isWhole } = stored.search(predicate)
      expect(found).toEqual(rows)
      expect(bySql).toEqual(expect.arrayContaining([...rows]))
      foundCount += rows.length
      partCount += !isWhole && bySql.length < batch.length ? 1 : 0
    }), { seed, numRuns: 3_000 })
    expect(foundCount).toBeGreaterThan(1_000)
    expect(partCount).toBeGreaterThan(100)
  })

  function compiledOrRefused(text: string): CompiledQuery | undefined {
    try {
      return compileQuery(text, { taxonomy: 'none', resolveNames: exactName })
    } catch (error) {
      if (error instanceof QueryError) return undefined
      throw error
    }
  }
})

test('a query lowers to the predicate that a rule lowers to', () => {
  expect(lowerQuery(parseQuery('a:x* AND NOT b:5'), { resolveNames: exactName })).toMatchObject({
    kind: 'and',
    of: [
      { kind: 'test', field: 'a', value: { kind: 'text', pattern: [{ kind: 'text', text: 'x' }, { kind: 'any' }], isCased: false } },
      { kind: 'not', of: { kind: 'test', field: 'b', value: { kind: 'number', value: 5 }, writtenValue: '5' } },
    ],
  })
})

test('a query is explained in its own words', () => {
  const predicate = lowerQuery(parseQuery('bytes:{5 TO 2026} OR login'), { resolveNames: exactName })
  const event = normalizeEvent({ bytes: '12', message: 'logout' }, 'none')
  expect(explainPredicate(predicate, event)).toEqual({
    node: 'or',
    result: true,
    children: [
      {
        node: 'and',
        result: true,
        children: [
          { field: 'bytes', op: 'gt', pattern: '5', actual: '12', result: true, reason: 'matched' },
          { field: 'bytes', op: 'lt', pattern: '2026', actual: '12', result: true, reason: 'matched' },
        ],
      },
      { field: null, op: 'contains', pattern: 'login', actual: null, result: false, reason: 'value_mismatch' },
    ],
  })
})
