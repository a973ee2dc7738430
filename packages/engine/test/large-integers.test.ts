import { describe, expect, test } from 'vitest'
import { Engine, compileRules, parseEvent } from '../src/index.ts'
import type { EventObject, RuleSet } from '../src/index.ts'
import { encodeLines, expectSameMatches } from './compare-push-paths.ts'

/** Integers next to where doubles stop telling them apart, and at the ends of 64 bits. */
const integers = [
  '9007199254740990', '9007199254740991', '9007199254740992', '9007199254740993', '9007199254740994', '-9007199254740992',
  '-9007199254740993', '9223372036854775806', '9223372036854775807', '9223372036854775808', '-9223372036854775808',
  '18446744073709551615', '1000000000000000000000', '1000000000000000000001', '0', '42',
]
const operators = {
  '': (a: bigint, b: bigint) => a === b,
  '|gt': (a: bigint, b: bigint) => a > b,
  '|gte': (a: bigint, b: bigint) => a >= b,
  '|lt': (a: bigint, b: bigint) => a < b,
  '|lte': (a: bigint, b: bigint) => a <= b,
  '|neq': (a: bigint, b: bigint) => a !== b,
} as const

/** How a sender may write an integer, and what surrounds it. */
const shapes: readonly (readonly [shape: string, print: (digits: string) => string])[] = [
  ['a number', (digits) => `{"id":${digits}}`],
  ['a text', (digits) => `{"id":"${digits}"}`],
  ['a number in a list', (digits) => `{"id":[ ${digits} ]}`],
  ['a number behind an escaped key', (digits) => `{"\\u0041":1,"id":${digits}}`],
  ['a number below an object', (digits) => `{"a":{"id":${digits}},"b":{}}`],
]

describe('integers beyond 2^53', () => {
  test.for(shapes)('compare exactly as %s, on every input path', ([shape, print]) => {
    const field = shape.endsWith('below an object') ? 'a.id' : 'id'
    const cases = Object.entries(operators).flatMap(([modifier, holds]) => integers.map((bound) => ({ modifier, holds, bound })))
    const ruleSet = compile(cases.map(({ modifier, bound }) => `{ '${field}${modifier}': ${bound} }`))
    const matches = expectSameMatches(ruleSet, integers.map((digits) => withLogsource(print(digits))))
    const found = matches.map(({ rule, ...match }) => `${'row' in match ? integers[match.row] : ''} ${rule.title}`)
    const expected = integers.flatMap((digits) => cases.flatMap(({ modifier, holds, bound }, i) => {
      return holds(BigInt(digits), BigInt(bound)) ? `${digits} ${titleOf(i, `{ '${field}${modifier}': ${bound} }`)}` : []
    }))
    expect(found.toSorted()).toEqual(expected.toSorted())
  })

  test.for(integers)('%s is found as a keyword and as text, and no neighbour is', (digits) => {
    const ruleSet = compile([`[ '${digits}' ]`, `{ 'id|endswith': '${digits.slice(-3)}', 'id|startswith': '${digits.slice(0, 3)}' }`])
    const neighbour = String(BigInt(digits) + 7n)
    const lines = [digits, neighbour].map((id) => withLogsource(`{"id":${id}}`))
    expect(expectSameMatches(ruleSet, lines).map((match) => 'row' in match && match.row)).toEqual([0, 0])
  })

  test('keep their digits in matches', () => {
    const ruleSet = compile(['{ id: 9007199254740993 }'])
    const line = withLogsource('{"id":9007199254740993,"other":18446744073709551615,"safe":9007199254740992}')
    const [match] = new Engine(ruleSet).pushBytes(encodeLines([line])).matches
    expect(match).toMatchObject({ text: line, event: { id: '9007199254740993', other: '18446744073709551615', safe: 2 ** 53 } })
    expect(JSON.stringify(match)).toContain('9007199254740993')
  })

  test('that are objects of the caller compare by their value', () => {
    const ruleSet = compile(['{ id: 9007199254740993 }', "{ 'id|gt': 9007199254740992 }"])
    const rows = (id: unknown) => new Engine(ruleSet, { lenient: true }).push([{ id } as EventObject]).length
    expect([9007199254740993n, '9007199254740993', 2 ** 53, 2 ** 53 + 2].map(rows)).toEqual([2, 2, 0, 1])
  })
})

describe('correlations of integers beyond 2^53', () => {
  const base = 'title: Base\nname: base\nlogsource: { category: test }\ndetection: { s: { a: x }, condition: s }\n'
  const correlation = (section: string) =>
    `title: Many\ncorrelation: { rules: [base], timespan: 1h, ${section} }\n`
  const ids = ['9007199254740992', '9007199254740993', '9007199254740994', '9223372036854775807', '9223372036854775806']
  const linesAt = (minute: number) =>
    ids.map((id, i) => withLogsource(`{"a":"x","id":${id},"@timestamp":"2026-11-20T10:0${minute}:0${i}Z"}`))

  test.for<[title: string, section: string, values: readonly (number | undefined)[]]>([
    ['different values count as such', 'type: value_count, condition: { field: id, gte: 5 }', [5]],
    ['each is a group of its own', 'type: event_count, group-by: [id], condition: { gte: 2 }', []],
    ['the same twice is one group', 'type: event_count, group-by: [id], condition: { gte: 2 }', [2, 2, 2, 2, 2]],
  ])('%s', ([title, section, values]) => {
    const { ruleSet } = compileRules([base, correlation(section)])
    const all = title.includes('twice') ? [...linesAt(0), ...linesAt(1)] : linesAt(0)
    const [asBytes, asObjects] = [new Engine(ruleSet), new Engine(ruleSet)]
    const objects = all.map((line) => parseEvent(line)).flatMap((parsed) => ('event' in parsed ? [parsed.event] : []))
    const found = [
      [...asBytes.pushBytes(encodeLines(all)).matches, ...asBytes.finish()],
      [...asObjects.push(objects), ...asObjects.finish()],
    ].map((matches) => matches.flatMap((match) => (match.kind === 'correlation' ? [match] : [])))
    for (const matches of found) {
      expect(matches.map(({ value }) => value)).toEqual(values)
      if (section.includes('group-by')) expect(new Set(matches.flatMap(({ group }) => [...group.values()])).size).toBe(values.length)
    }
  })
})

function compile(selections: readonly string[]): RuleSet {
  const { ruleSet, reports } = compileRules(selections.map((selection, i) => {
    return `title: "${titleOf(i, selection)}"\nlogsource: { category: test }\ndetection: { s: ${selection}, condition: s }\n`
  }))
  expect(reports.filter(({ verdict }) => verdict !== 'compiled')).toEqual([])
  return ruleSet
}

function titleOf(at: number, selection: string): string {
  return `${at} ${selection}`
}

function withLogsource(line: string): string {
  return `${line.slice(0, -1)},"_logsource":{"category":"test"}}`
}
