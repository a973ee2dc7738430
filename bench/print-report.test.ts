import { expect, test } from 'vitest'
import { printMarkdown, findWrongCounts } from './print-report.ts'
import type { Row } from './suite.ts'

const row = (name: string, counts: Row['counts']): Row => ({ case: name, counts, figures: { ms: 1.5 } })

test.for<[title: string, expected: Parameters<typeof findWrongCounts>[0], rows: readonly Row[], sentences: readonly string[]]>([
  ['the expected counts', { a: { events: 3 } }, [row('a', { events: 3 })], []],
  ['another count', { a: { events: 3 } }, [row('a', { events: 4 })], [`'a' has 4 events instead of 3`]],
  ['a count that is missing', { a: { events: 3, rules: 1 } }, [row('a', { events: 3 })], [`'a' has undefined rules instead of 1`]],
  ['a case that nobody expects', {}, [row('a', {})], [`nothing is expected of 'a'`]],
  ['a case that was not run', { a: {} }, [], [`'a' was not run`]],
  ['no expectation at all', undefined, [], ['no counts are expected of it yet; --accept takes those of this run']],
])('%s', ([, expected, rows, sentences]) => {
  expect(findWrongCounts(expected, rows)).toEqual(sentences)
})

test('prints a table with the machine and the command', () => {
  const machine = { cpu: 'A processor', cores: 2, memoryGiB: 8, node: 'v26.1.0', v8: '14.0', tripline: '0.1.0' }
  const rows = [row('a', { events: 1_000 }), { case: 'b', counts: {}, figures: { ms: null, slowest: 'x|y' } }]
  const head = { suite: 'some', title: 'Some suite', corpus: 'fixtures', date: '2026-11-21', command: 'node bench/report.ts' } as const
  expect(printMarkdown({ ...head, machine, rows }).split('\n')).toEqual([
    '# Some suite',
    '',
    '| case | events | ms | slowest |',
    '| --- | --- | --- | --- |',
    '| a | 1,000 | 1.5 | – |',
    '| b | – | – | x\\|y |',
    '',
    'On the project\'s own fixtures, which are few; 2026-11-21, A processor, 2 cores, 8 GiB, Node v26.1.0, V8 14.0, '
      + 'Tripline 0.1.0. Times are processor time of one thread.',
    '',
    '```sh',
    'node bench/report.ts',
    '```',
    '',
  ])
})

test.for<[corpus: 'shared' | 'fixtures', ownEvents: { readonly ownEvents?: string }, beginning: string]>([
  ['shared', {}, 'On SigmaHQ\'s rules and recorded events; '],
  ['shared', { ownEvents: 'events of our own' }, 'On SigmaHQ\'s rules and events of our own; '],
  ['fixtures', { ownEvents: 'events of our own' }, 'On the project\'s own rules, which are few, and events of our own; '],
])('names what a suite ran on: %s %o', ([corpus, ownEvents, beginning]) => {
  const machine = { cpu: 'A processor', cores: 2, memoryGiB: 8, node: 'v26.1.0', v8: '14.0', tripline: '0.1.0' }
  const report = { suite: 'some', title: 'Some suite', corpus, ...ownEvents, date: '2026-11-21', command: 'x', machine, rows: [] }
  expect(printMarkdown(report)).toContain(beginning)
})
