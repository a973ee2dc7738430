import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Kernel } from './kernel.ts'
import { keyCodes } from './key-codes.ts'
import { buildTeddyFilter } from './teddy-filter.ts'

const asciiBytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

/** Which lines, by number, the host is asked about when a domain has these literals. */
function askedLines(literals: readonly string[], lines: readonly string[]): number[] {
  const asked: number[] = []
  const kernel = new Kernel({
    keyCode: () => keyCodes.irrelevant,
    classOf: (domain) => domain,
    classOfFound: () => { throw new Error('nobody looks for needles') },
    resultOf: (section, { numbers, count }) => (count === 0 ? section : numbers[count - 1]!),
    found: (line) => asked.push(line),
    slowLine: (line) => { throw new Error(`line ${line} is slow`) },
  }, { domainCount: 2, slotCount: 1, programCount: 2 })
  kernel.setProgram(0, Int32Array.of(1, 0))
  kernel.setProgram(1, Int32Array.of(0, 1, 1, 2, 0))
  kernel.setLineFilter(1, literals.map(asciiBytes))
  kernel.run(Uint8Array.from(Buffer.from(lines.join('\n'))))
  return asked
}

test.for<[title: string, literals: readonly string[], event: string, isAsked: boolean]>([
  ['a literal', ['mimikatz'], '{"a":"x mimikatz x"}', true],
  ['in capitals', ['mimikatz'], '{"a":"x MimiKatz x"}', true],
  ['cut short', ['mimikatz'], '{"a":"x mimikat"}', false],
  ['at the very end', ['"}'.padStart(3, 'x')], '{"a":"x"}', true],
  ['at the very start', ['{"a'], '{"A":"x"}', true],
  ['in a key', ['powershell'], '{"PowerShell":1}', true],
  ['beside one of 16 bytes', ['abcdefghijklmnop'], `{"a":"${' '.repeat(27)}abcdefghijklmnop"}`, true],
  ['none of no literals', [], '{"a":"x"}', false],
  ['not the bytes beside the letters', ['`{}~@['], '{"a":"@[]^`{"}', false],
  ['not a character that is not ASCII', ['abc'], '{"a":"é’\u{1f600}Å"}', false],
  ['a kelvin sign, which folds to k', ['kat'], '{"a":"\u212aat"}', true],
  ['one at the very end of 16 bytes', ['kat'], '{"a":"1234567\u212aat"}', true],
  ['one cut by the end of 16 bytes', ['kat'], '{"a":"12345678\u212aat"}', true],
  ['one at the start of 16 bytes', ['kat'], '{"a":"1234567890\u212aat"}', true],
  ['one written by its number', ['kat'], '{"a":"\\u212Aat"}', true],
  ['one in small letters', ['kat'], '{"a":"\\u212aat"}', true],
  ['a tilde by its number', ['~~~'], '{"a":"\\u007e~~"}', true],
  ['a space by its number', ['   '], '{"a":"\\u0020  "}', true],
  ['not a control character by its number', ['abc'], '{"a":"\\u001f\\u007f\\u0000"}', false],
  ['not other characters by their numbers', ['abc'], '{"a":"\\u2019\\u0161\\uFF41\\u6100"}', false],
  ['not those of a key', ['abc'], '{"\\u00e9":1}', false],
  ['a character written by its number', ['abc'], '{"a":"\\u0061bc"}', true],
  ['the same in a key', ['abc'], '{"\\u0061bc":1}', true],
  ['a solidus with an escape', ['a/b'], '{"a":"a\\/b"}', true],
  ['an escaped backslash before u', ['abc'], '{"a":"\\\\u0061bc"}', false],
])('asks for %s', ([, literals, event, isAsked]) => {
  expect(askedLines(literals, [event])).toEqual(isAsked ? [0] : [])
  // What is remembered of keys makes no difference, and neither do the lines around.
  expect(askedLines(literals, ['{"b":1}', event, '{"b":1}', event])).toEqual(isAsked ? [1, 3] : [])
})

test('a literal does not run on over the end of a line', () => {
  expect(askedLines(['"},{"', '"}{"'], ['{"b":"1"}', '{"b":1}'])).toEqual([])
})

test('finds what a plain search finds', () => {
  const letters = fc.constantFrom(...Array.from('abcxyz019@[`{~ .-'))
  const literal = fc.string({ unit: letters, minLength: 3, maxLength: 16 })
  const text = fc.string({ unit: fc.oneof(letters, fc.constantFrom('A', 'B', 'C', 'X', 'Y', 'Z', '\u007f', '^')), maxLength: 60 })
  const texts = fc.array(fc.oneof(text, fc.tuple(text, literal, text).map((parts) => parts.join(''))), { maxLength: 5 })
  fc.assert(fc.property(fc.array(literal, { maxLength: 40 }), texts, fc.nat(99), (literals, some, at) => {
    const planted = some.map((content, index) => (index === 0 ? content + (literals[at] ?? '').toUpperCase() + content : content))
    const lines = planted.map((content) => JSON.stringify({ a: content }))
    const expected = [...lines.keys()].filter((line) => literals.some((wanted) => lines[line]!.toLowerCase().includes(wanted)))
    expect(askedLines(literals, lines)).toEqual(expected)
  }), { seed: 4_711, numRuns: 500 })
})

describe('refuses', () => {
  test.for(['ab', 'a'.repeat(17), 'abC', 'ab\n', 'abé', 'abc\u007f'])('%j', (literal) => {
    expect(() => buildTeddyFilter([asciiBytes(literal)])).toThrow('cannot be a literal of a line filter')
  })
})

test('what lets literals pass lets hardly anything else pass', () => {
  const literals = [
    'perfc.dat', 'dpapi::masterkey', 'eo.oe.kiwi', 'event::clear', 'kerberos::golden', 'kerberos::ptt', 'lsadump::',
    'mimidrv.sys', 'mimilib.dll', 'misc::skeleton', 'privilege::debug', 'sekurlsa::',
  ]
  const layout = buildTeddyFilter(literals.map(asciiBytes))
  const line = JSON.stringify({
    EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', ProviderGuid: '{5770385F-C22A-43E0-BF4C-06F5698FFBD9}',
    Image: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', IntegrityLevel: 'High', ThreadID: 4912,
    CommandLine: '"C:\\Program Files\\Common Files\\service.exe" -k netsvcs -s Schedule --private --masterkey',
    ImageLoaded: 'C:\\Windows\\System32\\kernel32.dll', SecurityUserID: 'S-1-5-18', Description: 'Host Process for Services',
  })
  const bytes = asciiBytes(line)
  const passing = Array.from(bytes, (_, at) => at).filter((at) => [0, 1, 2].reduce((groups, place) => {
    const byte = bytes[at + place] ?? 0
    return groups & layout[32 * place + (byte & 15)]! & layout[32 * place + 16 + (byte >> 4)]!
  }, 0xff) !== 0)
  expect(passing.map((at) => line.slice(at, at + 3))).toEqual([])
})
