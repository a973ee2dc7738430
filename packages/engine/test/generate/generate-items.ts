import fc from 'fast-check'
import { escaped, joined, plainTexts, ruleText } from './generate-stock.ts'

/** Detection items of one kind, and the fields that mostly have values for them. */
export type Family = {
  /** How often items are of this family. */
  readonly weight: number
  readonly fields: readonly string[]
  /** Whether its items may have no field. */
  readonly suitsKeywords: boolean
  /** Modifiers, each with its bar, and the values for them. */
  readonly item: (allFields: readonly string[]) => fc.Arbitrary<[modifiers: string, value: unknown]>
}

/** The values of the placeholders that the items use. */
export const placeholders = { names: ['foo', 'F?o*', 'é', 'a\\*b'], 'two words': ['bar', 'b', 1] } as const

const texts: Family = {
  weight: 8,
  fields: ['user', 'Image', 'a.b', 'é.b', '__proto__', 'constructor'],
  suitsKeywords: true,
  item: () => item(ruleText, [
    '', '', '', '|contains', '|contains', '|startswith', '|endswith', '|cased', '|contains|cased', '|cased|endswith',
    '|startswith|endswith',
  ]),
}

const numbers: Family = {
  weight: 4,
  fields: ['EventID', 'a.n', '1'],
  suitsKeywords: false,
  item: () => fc.oneof(
    { weight: 3, arbitrary: item(oneOf(1, 1, 1, 0, -1, 4688, 4.5, 0.5, 16, 1e21, '1', '4688', true, false), ['']) },
    { weight: 2, arbitrary: item(oneOf(1, 0, -1, 4.5, 4688), ['|gt', '|gte', '|lt', '|lte']) },
    { weight: 1, arbitrary: item(oneOf(1, 4, 68, 0.5, -1), ['|contains', '|startswith', '|endswith']) },
  ),
}

const presence: Family = {
  weight: 2,
  fields: ['user', 'a.b', 'EventID', 'a', '__proto__'],
  suitsKeywords: false,
  item: () => fc.oneof(
    fc.tuple(fc.constantFrom('|exists', '|exists', '|exists|neq'), fc.boolean()),
    item(oneOf(null, '', '*', 'foo', 0), ['']),
  ),
}

const networks: Family = {
  weight: 2,
  fields: ['ip'],
  suitsKeywords: false,
  item: () => item(oneOf(
    '10.0.0.0/8', '10.0.0.0/31', '192.168.1.1', '192.168.128.0/18', '0.0.0.0/0', '::1', 'fe80::/10', '2001:db8::/32',
    '10.0.0.1/32'), ['|cidr']),
}

const timeParts = {
  minute: [0, 4, 30], hour: [0, 3, 23, 12], day: [2, 3, 31], week: [1, 53, 9], month: [1, 12], year: [2024, 2021, 2018],
}

const times: Family = {
  weight: 2,
  fields: ['time'],
  suitsKeywords: false,
  item: () => fc.oneof(...Object.entries(timeParts).map(([part, values]) =>
    item(oneOf(...values), ['', '', '|gt', '|gte', '|lt', '|lte'].map((comparison) => `|${part}${comparison}`)))),
}

const dashes: Family = {
  weight: 3,
  fields: ['CommandLine'],
  suitsKeywords: true,
  item: () => item(joined(['-', '/', '\u2013', ' ', 'a', 'b', ' -a', '-b', 'é', '*'], 4), [
    '|windash', '|windash|contains', '|contains|windash', '|windash|contains|cased', '|endswith|windash',
  ]),
}

const encodings: Family = {
  weight: 4,
  fields: ['Payload'],
  suitsKeywords: true,
  item: () => fc.constantFrom('', '', '|wide', '|utf16le', '|utf16be', '|utf16').chain((width) =>
    item(fc.constantFrom(...plainTexts).map(escaped), [
      '|base64', '|base64|contains', '|base64offset|contains', '|base64offset|contains', '|base64offset|contains|cased',
      '|base64offset|startswith', '|contains',
    ].map((encoding) => width + encoding))),
}

// RE2 has no lookahead, so `$` ends its pattern here: anything after it could consume the line feed.
const regex = fc.tuple(joined([
  'a', 'B', 'o+', 'fo*', '.', '.*', '.{2,3}', '[ab]', '[^a]', '(foo|bar)', '(?:b)?', '\\d', '\\w', '\\W', '\\.', '\\\\',
  '\\*', '^', 'é', 'É', '\\S+', '|', '$|', '😀', '\\n', 'x{0,2}', 'a+?', '[a-f]',
], 4, 1), fc.constantFrom('', '', '', '$')).map((parts) => parts.join(''))

const regexes: Family = {
  weight: 3,
  fields: ['user', 'Image', 'a.b'],
  suitsKeywords: true,
  item: () => item(regex, [
    '|re', '|re|i', '|re|ignorecase', '|re|s', '|re|dotall', '|re|m', '|re|multiline', '|re|i|m|s', '|re|contains',
  ]),
}

const references: Family = {
  weight: 2,
  fields: ['user', 'Image', 'EventID', 'a.b'],
  suitsKeywords: false,
  item: (allFields) => item(fc.constantFrom(...allFields), [
    '|fieldref', '|fieldref|contains', '|fieldref|startswith', '|fieldref|endswith', '|fieldref|cased',
  ]),
}

const expansions: Family = {
  weight: 1,
  fields: ['user', 'Image'],
  suitsKeywords: true,
  item: () => item(
    oneOf('%names%', 'a%names%', '%names%%two words%', '%names%*', '\\%names%', '100%', '%%', 'foo'),
    ['|expand', '|expand|contains', '|contains|expand', '|expand|cased', '|startswith|expand']),
}

export const families: readonly Family[] = [
  texts, numbers, presence, networks, times, dashes, encodings, regexes, references, expansions,
]

/** One or a few values for one of the modifier chains, sometimes with `all` or `neq`. */
function item(value: fc.Arbitrary<unknown>, chains: readonly string[]): fc.Arbitrary<[string, unknown]> {
  const lists = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    { weight: 3, arbitrary: fc.constantFrom('|all', '|neq', '|all|neq') },
  )
  const values = fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 }))
  return fc.tuple(fc.constantFrom(...chains), lists, values).map(([chain, list, some]) => [chain + list, some])
}

function oneOf(...values: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.constantFrom(...values)
}
