import type { Predicate } from '@tripline/engine/predicate'
import { testWithShared } from '@tripline/engine/test/read-shared-data'
import { describe, expect, test } from 'vitest'
import { convertPredicate } from '../src/index.ts'
import type { QueryTarget } from '../src/index.ts'
import { compile, ownRules, readSharedRules, sharedFiles } from './engines/converted-rules.ts'
import { listFields } from './engines/event-table.ts'
import { findKustoProblems } from './engines/kusto-parser.ts'
import { python, runPython } from './engines/run-python.ts'

/* Converted rules in the parsers of systems that run nowhere but at their makers. */

function convertEach(predicates: readonly Predicate[], target: QueryTarget): { readonly query: string; readonly fields: string[] }[] {
  const converted = predicates.flatMap((predicate) => {
    const result = convertPredicate(predicate, target, 'events')
    return 'query' in result ? [{ query: result.query, fields: listFields(predicate) }] : []
  })
  expect(converted.length).toBeGreaterThan(predicates.length * 0.65)
  return converted
}

describe('Kusto', () => {
  const findProblems = (predicates: readonly Predicate[]): string[] => convertEach(predicates, 'kql')
    .flatMap(({ query, fields }) => findKustoProblems(query, fields).map((problem) => `${problem} ${query.slice(0, 300)}`))

  test('takes our own rules, with their columns and functions', () => {
    expect(findProblems(ownRules)).toEqual([])
  })

  test('takes a list of six hundred values, which would be too deep as one chain', () => {
    const chain = `events | where ${Array.from({ length: 600 }, (_, at) => `a contains '${at}'`).join(' or ')}`
    expect(findKustoProblems(chain, ['a'])).toEqual([expect.stringContaining('depth')])
    expect(findProblems(compile([[`s: { a|contains: [${Array.from({ length: 600 }, (_, at) => `v${at}`).join(', ')}] }`, 'condition: s']]))).toEqual([])
  })

  test('would refuse another column, function, type or word', () => {
    expect(['tostring(b) == 1', 'hash(a, 1) > 2 and strange(a)', 'a > 5', 'a = 5'].map((condition) => findKustoProblems(`events | where ${condition}`, ['a']).length > 0))
      .toEqual([true, true, true, true])
  })

  testWithShared(sharedFiles, 'takes rules of SigmaHQ', () => {
    expect(findProblems(readSharedRules().predicates.filter((_, at) => at % 10 === 0)).slice(0, 3)).toEqual([])
  })
})

describe('ES|QL', () => {
  const title = (text: string): string => python === undefined ? `${text} (skipped: TRIPLINE_TEST_PYTHON names no Python)` : text
  const findProblems = async (queries: readonly string[]): Promise<string[]> => {
    const problems = await runPython<readonly (string | null)[]>('esql.py', { queries })
    expect(problems).toHaveLength(queries.length)
    return problems.flatMap((problem, at) => problem === null ? [] : [`${problem} ${queries[at]!.slice(0, 300)}`])
  }

  test.skipIf(python === undefined)(title('takes some of our own rules'), async () => {
    const queries = convertEach(ownRules, 'esql').map(({ query }) => query).filter((_, at) => at % 3 === 0)
    expect(await findProblems(queries)).toEqual([])
    expect(await findProblems(['FROM events | WHERE a ~ "b"', 'FROM events | WHERE (a IS NULL'])).toHaveLength(2)
  })
})
