import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, readTokens } from './parse-json.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261)

/*
 * V8 14.6 fails each row with `JSON.parse`: it remembers the object of the first text by its keys, and in the second
 * compares their characters with those of the source, escapes as they stand. Each row has a first key of its own,
 * because only a key that alone has ever followed the one before it is expected again.
 */
test.for<[what: string, before: string, text: string, fields: readonly [key: string, value: unknown][]]>([
  ['a letter', String.raw`{"r1":1,"\\":2}`, String.raw`{"r1":1,"\u0062":2}`, [['r1', 1], ['b', 2]]],
  ['the first letter of a name', String.raw`{"r2":1,"\\u004":2}`, String.raw`{"r2":1,"\u0049mage":2}`,
    [['r2', 1], ['Image', 2]]],
  ['a letter within a name', String.raw`{"r3":1,"Im\\u0":2}`, String.raw`{"r3":1,"Im\u0061ge":2}`,
    [['r3', 1], ['Image', 2]]],
  ['a line feed', String.raw`{"r4":1,"\\":2}`, String.raw`{"r4":1,"\n":2}`, [['r4', 1], ['\n', 2]]],
  ['a quote', String.raw`{"r5":1,"\\":2}`, String.raw`{"r5":1,"\"":2}`, [['r5', 1], ['"', 2]]],
  ['a slash', String.raw`{"r6":1,"a\\":2}`, String.raw`{"r6":1,"a\/":2}`, [['r6', 1], ['a/', 2]]],
  ['a backslash', String.raw`{"r7":1,"\\\\":2}`, String.raw`{"r7":1,"\\b":2}`, [['r7', 1], [String.raw`\b`, 2]]],
  ['wide characters', String.raw`{"r8":1,"€\\":2}`, String.raw`{"r8":1,"€\n":"€"}`,
    [['r8', 1], ['€\n', '€']]],
  ['a space before the colon', String.raw`{"r9":1,"\\":2}`, '{"r9":1,"\\u0062"\t\r\n :2}', [['r9', 1], ['b', 2]]],
  ['a key after a value with escapes', String.raw`{"r10":"\\","\\":2}`, String.raw`{"r10":"\\\"","\u0062":2}`,
    [['r10', '\\"'], ['b', 2]]],
  ['a nested object', String.raw`{"r11":{"r12":1,"\\":2}}`, String.raw`{"r11":{"r12":1,"\u0062":2}}`,
    [['r11', { r12: 1, b: 2 }]]],
  ['an object in a list', String.raw`[{"r13":1,"\\":2}]`, String.raw`{"r14":[{"r13":1,"\u0062":2}]}`,
    [['r14', [{ r13: 1, b: 2 }]]]],
])('does not confuse a key with an earlier one: %s', ([, before, text, fields]) => {
  parseJson(before)
  expect(Object.entries(parseJson(text) as object)).toEqual(fields)
})

test('does not confuse a key with one of an existing object', () => {
  const own: Record<string, unknown> = {}
  for (const key of ['r15', 'r16', 'r17', '\\u004']) own[key] = 1
  expect(parseJson(String.raw`{"r15":1,"r16":1,"r17":1,"\u0049mage":1}`)).toEqual({ r15: 1, r16: 1, r17: 1, Image: 1 })
})

test.for<[text: string, value: unknown]>([
  [String.raw`{"\u0061":1,"b":2,"a":3}`, { a: 3, b: 2 }],
  [String.raw`{"a":1,"\u0061":{"\u0061":[]}}`, { a: { a: [] } }],
  [String.raw`{"\u005f_proto__":{"b":1},"c":2}`, Object.fromEntries([['__proto__', { b: 1 }], ['c', 2]])],
  [String.raw`{"__proto__":1,"\u005f_proto__":null}`, Object.fromEntries([['__proto__', null]])],
  [String.raw`{"\u0061":"\ud800","\udc00":"\ud83d\ude00"}`, { a: '\ud800', '\udc00': '😀' }],
  [String.raw`{"\u0061":[-0,1e999,-1E+2,0.5e-3,9007199254740993]}`,
    { a: [-0, Infinity, -100, 0.0005, '9007199254740993'] }],
  ['[9007199254740992,9007199254740993,-9007199254740993,1e20,100000000000000000000,100000000000000000001,9007199254740993.0]',
    [2 ** 53, '9007199254740993', '-9007199254740993', 1e20, 1e20, '100000000000000000001', 2 ** 53]],
  ['18446744073709551615', '18446744073709551615'],
  ['"18446744073709551615"', '18446744073709551615'],
  [String.raw` { "\u0061" : [ true , false , null , { } , [ ] ] } `, { a: [true, false, null, {}, []] }],
  [String.raw`{"":1,"\u0031":2,"0":3}`, { 0: 3, 1: 2, '': 1 }],
  [String.raw`["\\","\u0061",{"\u0062":"\":"}]`, ['\\', 'a', { b: '":' }]],
])('%s', ([text, value]) => {
  const parsed = parseJson(text)
  expect(parsed).toEqual(value)
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(value))
})

const anyText = textOf('ab0\\"/u: {}[],\n\t€é\ud800', 6)
const { tree: anyValue } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(anyText, fc.constant('__proto__')), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

function textOf(characters: string, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters.split('')), maxLength })
}

/** Prints a value as JSON; `choose` selects the notation of each character and gap. */
function print(value: unknown, choose: (count: number) => number): string {
  const gap = (): string => ['', '', '', ' ', '\t\r\n'][choose(5)]!
  const printText = (text: string): string => {
    const escape = (unit: string): string => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    const written = (unit: string): string => (choose(4) === 0 ? escape(unit) : JSON.stringify(unit).slice(1, -1))
    return `"${text.split('').map(written).join('')}"`
  }
  if (typeof value === 'string') return printText(value)
  const printElement = (element: unknown): string => gap() + print(element, choose) + gap()
  if (Array.isArray(value)) return `${gap()}[${value.map(printElement).join()}]${gap()}`
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${gap()}${printText(key)}${gap()}:${printElement(member)}`)
  return `${gap()}{${members.join()}}${gap()}`
}

/** Numbers below a count, from a list that is begun again at its end. */
function chooser(choices: readonly number[]): (count: number) => number {
  let at = 0
  return (count) => (choices[at++ % choices.length] ?? 0) % count
}

const anyChoices = fc.array(fc.nat(59), { minLength: 1, maxLength: 40 })

test(`parses printed values in any notation (seed ${seed})`, () => {
  fc.assert(fc.property(anyValue, anyChoices, (value, choices) => {
    expect(parseJson(print(value, chooser(choices)))).toStrictEqual(value)
  }), { seed, numRuns: 3_000 })
})

test(`does not confuse a key with a prefix of its source (seed ${seed})`, () => {
  let number = 0
  fc.assert(fc.property(anyText, anyChoices, (key, choices) => {
    const source = print(key, chooser(choices))
    const known = source.slice(1, 1 + key.length)
    const first = `{"x${number % 50}":1,"y${Math.floor(number++ / 50)}":1`
    parseJson(`${first},${JSON.stringify(known)}:1}`)
    expect(Object.keys(parseJson(`${first},${source}:1}`) as object)).toContain(key)
  }), { seed, numRuns: 1_000 })
})

test(`the token parser agrees with JSON.parse when no key has an escape (seed ${seed})`, () => {
  const withPlainKeys = fc.array(fc.dictionary(textOf('abc01€', 3), anyText, { noNullPrototype: true }))
  fc.assert(fc.property(withPlainKeys, fc.nat(4), (value, indent) => {
    const text = JSON.stringify(value, undefined, indent)
    expect(readTokens(text)).toStrictEqual(JSON.parse(text))
  }), { seed, numRuns: 1_000 })
})

test(`long integers are read as the token parser reads them, and those inside of strings stay (seed ${seed})`, () => {
  const scalars = ['1234567890123456789', '-9007199254740993', '9007199254740992', '12345678901234567890.5', '1e30', '7', 'true']
  const texts = ['"1234567890123456789"', '" , 1234567890123456789 , "', '": 1234567890123456789"', String.raw`"\\" `, String.raw`"\": 1234567890123456789,"`]
  const part = fc.tuple(fc.constantFrom('', ' ', '\n'), fc.constantFrom(...scalars, ...texts), fc.constantFrom('', '\t', '  '))
  fc.assert(fc.property(fc.array(part, { minLength: 1 }), fc.boolean(), (parts, isList) => {
    const printed = parts.map(([before, value, after], i) => `${isList ? '' : `"k${i}":`}${before}${value}${after}`).join(',')
    const text = isList ? `[${printed}]` : `{${printed}}`
    expect(parseJson(text)).toStrictEqual(readTokens(text))
  }), { seed, numRuns: 1_000 })
})

/** The value's JSON again, or the message of the error. */
function outcomeOf(parse: (text: string) => unknown, text: string): string {
  try {
    return JSON.stringify(parse(text))
  } catch (error) {
    return String(error)
  }
}

test(`rejects what JSON.parse rejects, with the same message (seed ${seed})`, () => {
  const broken = fc.tuple(anyValue, anyChoices, fc.nat(40), fc.constantFrom('', '"', '\\', ',', '}', ':', '\n'))
  const isRejected = (text: string): boolean => outcomeOf(JSON.parse, text).startsWith('SyntaxError')
  let rejectedCount = 0
  fc.assert(fc.property(broken, ([value, choices, at, planted]) => {
    const text = print(value, chooser(choices))
    const changed = text.slice(0, at) + planted + text.slice(at + 1)
    if (!isRejected(changed)) return
    rejectedCount++
    expect(outcomeOf(parseJson, changed)).toBe(outcomeOf(JSON.parse, changed))
  }), { seed, numRuns: 1_000 })
  expect(rejectedCount).toBeGreaterThan(100)
})

test('an error quotes the text as it came, with long integers as they were', () => {
  const broken = '{"id":12345678901234567891,"b":nope}'
  expect(outcomeOf(parseJson, broken)).toBe(outcomeOf(JSON.parse, broken))
})

const count = 1_000_000
test.for<[what: string, text: string]>([
  ['backslashes', `{"\\u0061":"${'\\\\'.repeat(count)}"}`],
  ['escaped quotes', `{"\\u0061":"${'\\"'.repeat(count)}"}`],
  ['escapes in a key', `{"${'\\u0061'.repeat(count)}":1}`],
  ['blanks', `{"\\u0061"${' '.repeat(count)}:1${' '.repeat(count)}}`],
  ['texts with a backslash', `{"a":[${String.raw`"\\",`.repeat(count)}0],"\\u0062":1}`],
  ['lists in lists', `{"\\u0061":${'['.repeat(count)}${']'.repeat(count)}}`],
  ['objects in objects', `${String.raw`{"\u0061":`.repeat(count / 10)}1${'}'.repeat(count / 10)}`],
])('parses a million of them: %s', ([, text]) => {
  expect(Object.keys(parseJson(text) as object).length).toBeGreaterThan(0)
})
