import type { EventObject, RuleSource } from '../../src/index.ts'
import { ruleText } from './hostile-rule.ts'

/** A hostile event: the attack, and a function that creates the event. */
export type HostileEvent = readonly [attempt: string, make: () => EventObject]

/** Rules that read events in every possible way, so that each event exercises the whole engine. */
export const rulesForHostileEvents: readonly RuleSource[] = [
  '{a: x}', '{a: ["x*y*z*a*b", "*a*a*a*a*b"]}', '{a|contains: [abc, xyz, aab]}', '{a|endswith: ab, a|startswith: aa}',
  '{a|contains|all: [a, b, c]}', '{a|cased: A}', '{a: "??*?"}', '{a: null}', '{a|exists: true}', '{a|neq: x}',
  '{a: 1}', '{a: true}', '{a|gt: 5}', '{a|hour|gte: 3}', '{a|week: 5}', '{a|cidr: [10.0.0.0/8, "fe80::/10"]}',
  '{a|windash|contains: " -a -b"}', '{a|base64offset|contains: foobar}', '{a|wide: ab}', '{a|re: "(a+)+$"}',
  '{a|re: "^(a|aa)*b"}', '{a|re|i: "x.*y.*z"}', '{a|re: "a{50}b"}', '{a|fieldref: b}', '{a|fieldref|contains: b}',
  '{a|fieldref|endswith: a.a}', '{a.b.c: x}', '{a.a.a.a.a: x}', '{__proto__: x}', '{__proto__.a: x}',
  '{constructor.prototype: x}', '{EventID: 1}', '{Channel|contains: Security}', '[keyword, "key*word", 4688]',
  '{"|all": [one, two]}', '{"|re": "(k+)+$"}', '{"|base64offset|contains": foobar}',
].map((selection, at) => ({
  path: `${at}.yml`,
  text: ruleText(`sel: ${selection}\ncondition: sel`).replace('A hostile rule', `Rule ${at}`),
}))

/** A family of events of any size up to `sizeMax`. */
type Family = readonly [name: string, sizeMax: number, make: (size: number) => EventObject]

const foreignValues: readonly unknown[] = [
  undefined, 10n ** 30n, Symbol('x'), () => 'x', new Date(Number.NaN), /x/, new Map([['a', 'x']]), new Uint8Array(3),
  Number.NaN, [undefined, 1n, Symbol('x')],
]

const wrongKinds: readonly unknown[] = [
  null, [], {}, '', '1', -1, 1.5, true, ['Security'], { '#text': 1 }, 'x'.repeat(65_536), Number.NaN, [[1]],
]

const wrongLogsources: readonly unknown[] = [
  null, [], {}, '', 'windows', 5, [null], [[{ product: 'windows' }]], { product: ['windows'] }, { product: {} },
  { category: 'constructor', product: '__proto__' }, range(10_000).map(() => ({ product: 'windows' })),
]

const wrongSections: readonly unknown[] = [
  null, [], {}, 'x', 5, [{}], { EventID: [] }, { Data: 'x' }, { Data: [null, {}, [], { '@Name': {} }] },
  { '#attributes': 5 },
]

const families: readonly Family[] = [
  // Depth and width
  ['objects in objects', 100_000, (depth) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)],
  ['lists in lists', 100_000, (depth) => JSON.parse(`{"a":${'['.repeat(depth)}1${']'.repeat(depth)}}`)],
  ['lists and objects in turn', 50_000, (depth) => JSON.parse(`{"a":${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}}`)],
  ['objects in __proto__', 50_000, (depth) =>
    JSON.parse(`${'{"__proto__":'.repeat(depth)}{"a":"x"}${'}'.repeat(depth)}`)],
  ['many fields', 50_000, (count) => Object.fromEntries(range(count).map((at) => [`field${at}`, 'keyword']))],
  ['a long name', 65_536, (length) => ({ ['a'.repeat(length)]: 'x', a: 'x' })],
  ['a name of dots', 65_536, (length) => ({ ['.'.repeat(length)]: 'x', a: { '': { '': 'x' } } })],
  ['many strings', 100_000, (count) => ({ a: texts('x', count) })],
  ['many numbers', 100_000, (count) => ({ a: range(count), b: range(Math.min(count, 10)) })],
  ['many lists', 50_000, (count) => ({ a: range(count).map((at) => [[at], []]) })],
  ['many objects', 20_000, (count) => ({ a: range(count).map((at) => ({ b: { c: at }, a: 'x' })) })],
  ['lists against lists', 20_000, (count) => ({ a: texts('x', count), b: texts('y', count) })],
  ['a sparse list', 100_000, (length) => ({ a: Object.assign([], { length, [Math.floor(length / 2)]: 'x' }) })],

  // Long texts
  ['a long text', 1_000_000, (length) => ({ a: 'a'.repeat(length) })],
  ['a text that almost matches', 1_000_000, (length) => ({ a: `${'a'.repeat(length)}!`, b: 'a'.repeat(length / 2) })],
  ['pieces of wildcard patterns', 300_000, (length) => ({ a: 'xyza'.repeat(length / 4) })],
  ['dashes', 500_000, (length) => ({ a: ' -a /b'.repeat(length / 6) })],
  ['backslashes and stars', 500_000, (length) => ({ a: '\\*?'.repeat(length / 3) })],
  ['emoji', 200_000, (length) => ({ a: '😀'.repeat(length / 2) })],
  ['letters whose case changes their length', 200_000, (length) => ({ a: 'İßﬁ'.repeat(length / 3) })],
  ['lone surrogates', 200_000, (length) => ({ a: '\ud800'.repeat(length), b: '\udc00\ud800' })],
  ['NULs', 200_000, (length) => ({ a: '\0'.repeat(length), ['\0'.repeat(10)]: 'x' })],
  ['line ends', 200_000, (length) => ({ a: '\n\r\u2028'.repeat(length / 3) })],
  ['base64', 500_000, (length) => ({ a: 'Zm9v'.repeat(length / 4) })],
  ['digits', 500_000, (length) => ({ a: '9'.repeat(length), b: `1e${'9'.repeat(length)}` })],
  ['spaces around a number', 500_000, (length) => ({ a: `${' '.repeat(length)}1${' '.repeat(length)}x` })],
  ['an address without an end', 500_000, (length) => ({ a: '1.'.repeat(length / 2), b: ':'.repeat(length) })],
  ['a moment without an end', 500_000, (length) => ({ a: `2024-01-02T03:04:05.${'0'.repeat(length)}` })],
  ['many long texts', 2_000, (count) => ({ a: texts('ab'.repeat(200), count) })],

  // Numbers and other kinds of values
  ['numbers at the ends', 400, (digits) =>
    JSON.parse(`{"a":[1e999,-1e999,9007199254740993,-0,1e-400,${'9'.repeat(digits)}],"EventID":1e999}`)],
  ['values that JSON does not have', 20, (at) => ({ a: pick(foreignValues, at), b: Object.create(null), EventID: 1n })],
  ['names of methods', 20, () => JSON.parse(
    '{"constructor":{"prototype":{"polluted":1}},"__proto__":{"polluted":1,"a":"x"},"toString":"x","valueOf":1}')],
  ['no prototype', 20, () => withoutPrototype({ a: withoutPrototype({ b: 'x' }) })],

  // Cyclic objects
  ['an object in itself', 100, (count) => {
    const event: Record<string, unknown> = { b: 'x' }
    for (const at of range(count)) event[at === 0 ? 'a' : `a${at}`] = event
    return event
  }],
  ['a list in itself', 20, (count) => {
    const list: unknown[] = ['x']
    for (const _ of range(count)) list.push(list)
    return { a: list }
  }],
  ['objects in each other', 30, (count) => {
    const objects = range(count + 1).map((): Record<string, unknown> => ({ b: 'x' }))
    for (const object of objects) {
      for (const [at, other] of objects.entries()) object[at === 0 ? 'a' : `a${at}`] = other
    }
    return objects[0] ?? {}
  }],
  ['one object many times', 25, (levels) => {
    let shared: unknown = 'x'
    for (const _ of range(levels)) shared = { a: shared, b: shared }
    return { a: shared }
  }],

  // Fields that routing and normalization read
  ['wrong kinds of EventID and Channel', 40, (at) => ({
    EventID: pick(wrongKinds, at), Channel: pick(wrongKinds, at * 7 + 3), Provider_Name: pick(wrongKinds, at * 5),
  })],
  ['wrong kinds of _logsource', 40, (at) => ({ _logsource: pick(wrongLogsources, at), a: 'x' })],
  ['wrong kinds of nested Windows events', 40, (at) => ({
    Event: { System: pick(wrongSections, at), EventData: pick(wrongSections, at * 3) },
    winlog: pick(wrongSections, at * 3 + 1), event: pick(wrongSections, at), a: 'x',
  })],
  ['wrong kinds of whole Windows events', 20, (at) => ({ Event: pick(wrongSections, at), a: 'x' })],
  ['EventData without an end', 20_000, (count) => ({
    Event: {
      System: { EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational' },
      EventData: { Data: range(count).map((at) => ({ '@Name': `field ${at}`, '#text': 'keyword' })) },
    },
  })],
]

/** Creates 16 events of each family: one of maximum size, the others evenly over the orders of magnitude. */
export function hostileEvents(seed: number): readonly HostileEvent[] {
  const random = numbers(seed)
  return families.flatMap(([name, sizeMax, make]) => Array.from({ length: 16 }, (_, at): HostileEvent => {
    const size = at === 0 ? sizeMax : Math.floor(sizeMax ** random())
    return [`${name}, size ${size}, no. ${at}`, () => make(size)]
  }))
}

/** Creates a seeded linear congruential generator of numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed % 2 ** 32
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function pick(values: readonly unknown[], at: number): unknown {
  return values[at % values.length]
}

function withoutPrototype(members: EventObject): EventObject {
  return Object.assign(Object.create(null), members)
}

function texts(start: string, count: number): string[] {
  return range(count).map((at) => start + at)
}

function range(count: number): number[] {
  return Array.from({ length: Math.max(0, Math.floor(count)) }, (_, at) => at)
}
