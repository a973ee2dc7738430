import fc from 'fast-check'

/*
 * The values of generated rules and events: few, so that rules match, and including the edge cases of text, numbers,
 * addresses and times.
 */

/** An unexpected value of a field. */
export const otherValues: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null, '', {}, [], [null], { b: 'foo' }, true, false, 'true', 0, -1, 'foo', ['foo', null], 4688)

const words = [
  'foo', 'FOO', 'foobar', 'fo', 'o', 'bar', '', 'C:\\Windows\\cmd.exe', 'c:\\windows', '\\', '\\\\', 'a*b', 'a?b',
  'axb', '*', '?', '\\*', 'é', 'É', 'e\u0301', 'Ü', 'Σ', 'σ', 'ς', 'İ', 'i', 'I', '\u212a', 'k', 'ß', 'SS', '😀',
  'a😀b', 'a\nb', 'a\r\u2028b', 'foo\n', '%names%', '100%', 'true', 'x.y', '\0', 'x\ud800',
]
const letters = ['a', 'a', 'b', 'B', 'o', '\\', '*', '?', 'é', 'É', '😀', '.', ' ', '\n', '1']
const word = fc.constantFrom(...words)

/** A text of an event. */
export const eventText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: joined(letters, 4) },
  { weight: 1, arbitrary: fc.tuple(word, word).map((pair) => pair.join('')) },
)

/** A text of a rule: words, some of them replaced by wildcards. */
export const ruleText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: word.map(escaped) },
  { weight: 1, arbitrary: word },
  { weight: 2, arbitrary: joined([...letters.map(escaped), '*', '?', '\\'], 4) },
  { weight: 1, arbitrary: fc.tuple(word, fc.constantFrom('*', '?', '**', '?*')).map(
    ([text, wildcard]) => escaped(Array.from(text).slice(0, -1).join('')) + wildcard) },
)

/** Texts to encode: in events by `Buffer`, in rules by modifiers. */
export const plainTexts = ['foobar', 'ping -n', 'é😀x', 'a*b\\?c']

const numbers = fc.constantFrom<unknown>(
  1, 0, -1, 4688, 4.5, 1e21, '1', ' 1 ', '1.0', '01', '+1', '1e0', '.5', 0.5, '0', '-0', '4688', '4688.0', '4.5',
  '0x10', 16, '1 2', '1.', '.', 'NaN', 'Infinity', true, 'true', 'TRUE', false)

const addresses = fc.constantFrom<unknown>(
  '10.0.0.1', '10.1.2.3', '192.168.1.1', '192.168.191.255', '::1', '0:0:0:0:0:0:0:1', 'fe80::1', 'FEBF::1',
  'fe80::1%eth0', '::ffff:10.0.0.1', '::FFFF:a00:1', '2001:db8::1', '10.0.0', '10.0.0.256', '10.0.0.1.1', 'x', '',
  '1::2::3', ':::', 5)

const times = fc.constantFrom<unknown>(
  '2024-01-02T03:04:05Z', '2024-01-02T23:30:00+02:00', '2024-01-02T23:30:00.5-0500', '2024-01-02 03:04:05.678',
  '2024-01-02', '2021-01-03T00:00:00Z', '2018-12-31T23:59:59', '2024-02-29T12:00:00Z', '2023-02-29T12:00:00Z',
  '2024-01-02T25:00:00Z', 1704164645, 1704164645678, '1704164645', '1704164645678', '1704164645.5', 'yesterday', '')

const commands = joined(['-', '/', '\u2013', '\u2014', '\u2015', ' ', 'a', 'b', ' -a', ' /b', '_', 'é'], 5)

const encodedPayloads = fc.tuple(
  fc.constantFrom('', '', '!', '!!', '---'), fc.constantFrom(...plainTexts), fc.constantFrom('', '.'),
  fc.constantFrom('utf8', 'utf8', 'utf16le', 'utf16be', 'utf16'),
).map(([before, text, after, encoding]) =>
  Buffer.concat([Buffer.from(before), bytesOf(text, encoding), Buffer.from(after)]).toString('base64'))

const payloads = fc.oneof(
  { weight: 6, arbitrary: encodedPayloads },
  { weight: 1, arbitrary: fc.constantFrom(...plainTexts).map((text) => bytesOf(text, 'utf16le').toString('latin1')) },
)

/** Usual values of fields. A field with dots in its name hides the nested value of that path. */
export const fieldValues: readonly (readonly [field: string, value: fc.Arbitrary<unknown>])[] = [
  ['user', eventText],
  ['Image', eventText],
  ['__proto__', eventText],
  ['constructor', eventText],
  ['_note', eventText],
  ['a.b', eventText],
  ['é.b', eventText],
  ['EventID', numbers],
  ['1', numbers],
  ['a.n', numbers],
  ['ip', addresses],
  ['time', times],
  ['CommandLine', commands],
  ['Payload', payloads],
]

/** Texts of up to `maxLength` pieces. */
export function joined(pieces: readonly string[], maxLength: number, minLength = 0): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { minLength, maxLength }).map((some) => some.join(''))
}

/** Escapes a text so that a rule reads it literally. */
export function escaped(text: string): string {
  return text.replace(/[\\*?]/g, '\\$&')
}

function bytesOf(text: string, encoding: string): Buffer {
  const little = Buffer.from(text, 'utf16le')
  switch (encoding) {
    case 'utf16le': return little
    case 'utf16be': return Buffer.from(little).swap16()
    case 'utf16': return Buffer.concat([Buffer.from([0xff, 0xfe]), little])
    default: return Buffer.from(text)
  }
}
