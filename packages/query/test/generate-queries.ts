import fc from 'fast-check'
import type { EventObject } from '@tripline/engine'

/** Fields that random queries read; `c.d` is a path into an object, or a key. */
export const fieldNames = ['a', 'b', 'c.d', 'Threat Name', 'message'] as const

/** Few characters, so that values meet; those that mean something in a query are among them. */
const characters = [
  'a', 'A', 'b', '1', '.', '-', ' ', '\\', '"', '*', '?', '(', ')', ':', '[', ']', '{', '}', '<', '>', '/', 'é', 'É', '\u212a', 'k', '😀', '\ud83d', '\0',
  '\n', '%', '_', "'",
]
const words = ['', 'x', 'foo', 'FOO', 'and', 'or', 'not', 'to', 'null', 'true', '12', '12.0', '007', '10.0.0.1', '::1', '10.0.0.0/8', '2026-05-06T07:08:09Z', String.raw`C:\Windows\a.exe`]

export const someText: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...characters), maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(...words) },
)

const scalar = fc.oneof(
  { weight: 3, arbitrary: someText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(0, 1, 5, 12, -1, 1.5, 2 ** 53, true, false, null, 1_778_051_289, 1_778_051_289_000) },
)

/** What a field may hold where it is there. */
const someValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
)

export const someEvent: fc.Arbitrary<EventObject> = fc.record(
  { a: someValue, b: someValue, c: fc.record({ d: someValue }, { requiredKeys: [] }), 'Threat Name': someValue, message: someValue, 'c.d': someValue },
  { requiredKeys: [] },
)

/** A word with some of its characters escaped, and others meaning what they mean. */
const someWord = fc.array(fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'A', 'b', '1', '.', '-', '/', 'é', 'k', '😀', '\0', '%', '_') },
  { weight: 2, arbitrary: fc.constantFrom('*', '?') },
  { weight: 1, arbitrary: fc.constantFrom('\\', '\\\\', '\\*', '\\?', '\\ ', '\\"', '\\(', '\\)', '\\:', '\\[', '\\{', '\\<', '\\a') },
), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))

const someQuoted = someText.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`)

const someNumber = fc.constantFrom('0', '1', '5', '12', '-1', '1.5', '1e1', '9007199254740992', '9007199254740993')
const someTime = fc.constantFrom('2026-05-06', '2026-05-06T07:08Z', '2026-05-06T07:08:09', '2026-05-06T09:08:09.000+02:00', '"2026-05-06 07:08"')

/** Two of the same kind, of which the first may be the greater one: such a range is refused. */
const someRange = fc.tuple(
  fc.oneof(fc.tuple(someNumber, someNumber), fc.tuple(someTime, someTime), fc.constant(['*', '5'] as const), fc.constant(['5', '*'] as const)),
  fc.constantFrom('[', '{'), fc.constantFrom(']', '}'), fc.constantFrom('TO', 'to'),
).map(([[low, high], open, close, to]) => `${open}${low} ${to} ${high}${close}`)

const someRegex = fc.constantFrom('/a/', '/A/i', '/^[0-9]+$/', String.raw`/[a\/]b*/i`, '/(x|foo)+/', '/1.[0-9]/', '/tmp')

const someFieldValue = fc.oneof(
  { weight: 1, arbitrary: someRegex },
  { weight: 4, arbitrary: someWord },
  { weight: 3, arbitrary: fc.constantFrom(...words.filter((word) => word !== '')) },
  { weight: 2, arbitrary: someQuoted },
  { weight: 1, arbitrary: someNumber },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('>', '>=', '<', '<='), fc.oneof(someNumber, someTime)).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: someRange },
  { weight: 1, arbitrary: fc.constantFrom('*', '**', 'null', '""') },
)

const someField = fc.constantFrom('a', 'b', 'c.d', '"Threat Name"', String.raw`Threat\ Name`, 'message', '"a"')

/** Texts joined by operators, in any case, or by blanks; some negated, some in parentheses. */
function joined(leaf: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(fc.array(tie('node'), { minLength: 2, maxLength: 3 }), fc.constantFrom(' AND ', ' OR ', ' or ', ' and ', ' ', '  \n'))
        .map(([parts, operator]) => parts.join(operator)),
      tie('node').map((part) => `NOT (${part})`),
      tie('node').map((part) => `(${part})`),
      tie('node').map((part) => `not ${part}`),
    ),
  })).node
}

/** A query. Nearly all are valid; some ranges are empty, some words only look like networks. */
export const someQuery: fc.Arbitrary<string> = joined(fc.oneof(
  { weight: 6, arbitrary: fc.tuple(someField, someFieldValue).map((parts) => parts.join(':')) },
  { weight: 1, arbitrary: fc.tuple(someField, joined(someFieldValue)).map(([field, values]) => `${field}:(${values})`) },
  { weight: 2, arbitrary: fc.oneof(someWord, someQuoted, someRegex) },
  { weight: 1, arbitrary: someFieldValue.map((value) => `*:${value}`) },
))

/** Pieces of queries in any order: mostly no query. */
export const someSoup: fc.Arbitrary<string> = fc.array(
  fc.oneof(fc.constantFrom('(', ')', '"', ':', ' ', 'AND', 'NOT ', 'a', 'a:', '[', ']', '{', '}', ' TO ', '*', '>', '\\', '1', 'a:[', 'f:('), someText),
  { maxLength: 12 },
).map((pieces) => pieces.join(''))
