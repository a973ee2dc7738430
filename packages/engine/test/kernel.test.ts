import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KernelOptions } from '../src/kernel/kernel-sizes.ts'
import { TracingKernel } from './kernel-host.ts'
import { eachSharedLine, testWithShared } from './read-shared-data.ts'
import { linesOf, referenceOutcomes } from './reference/kernel-reference.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261)
const fields = ['a', 'b', 'c', 'longer field', '']

/** Tiny buffers, so that caches overflow all the time and lines are split. */
const tiny: KernelOptions = {
  inputBytes: 96, keyCount: 4, keyBytes: 8_192, valueCount: 8, valueBytes: 8_192, signatureCount: 4,
}

const blank = fc.stringMatching(/^[ \t\r]{0,2}$/)
const digits = fc.stringMatching(/^[0-9]{0,4}$/)
const number = fc.tuple(
  fc.constantFrom('', '', '-', '+'), digits, fc.constantFrom('', '', '.', '.5'), digits,
  fc.constantFrom('', '', 'e', 'E+', 'e-'), digits,
).map((parts) => parts.join(''))
const escape = fc.constantFrom(
  '\\\\', '\\"', '\\/', '\\n', '\\t', '\\r', '\\b', '\\f', '\\u0041', '\\ud83d\\ude00', '\\u00', '\\u00zz', '\\x', '\\',
)
const run = fc.tuple(fc.constantFrom('\\', '\\\\', 'x', '"', '\\"', 'é'), fc.nat(40)).map(([text, count]) => text.repeat(count))
const plain = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme' }), fc.constantFrom('\u0000', '\u001f', '\u007f'))
const content = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[ -!#-[\]-~]{0,40}$/) },
  { weight: 2, arbitrary: fc.array(fc.oneof(escape, fc.stringMatching(/^[a-z]{0,20}$/)), { maxLength: 6 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: run },
  { weight: 1, arbitrary: plain },
)
const string = content.map((text) => `"${text}"`)
const wellFormed = fc.oneof(
  fc.json({ maxDepth: 3 }).map((text) => text.replaceAll('\n', '')),
  fc.string({ maxLength: 60 }).map((text) => JSON.stringify(text)),
  fc.double({ noNaN: true }).map((value) => JSON.stringify(value)),
)
const value = fc.oneof(
  wellFormed, string, number,
  fc.constantFrom('true', 'false', 'null', 'nul', 'truex', '[]', '{}', '[1,]', '{"a":[{}, "x"]}', '{"a"}', '[', ''),
  fc.nat(40).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
)
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...fields, '\\u0061', 'd', '__proto__').map((name) => `"${name}"`) },
  { weight: 1, arbitrary: string },
  { weight: 1, arbitrary: fc.constantFrom('slow', 'k'.repeat(1_100), 'k'.repeat(1_022), 'k'.repeat(1_023)).map((name) => `"${name}"`) },
)
const member = fc.tuple(blank, key, blank, blank, value, blank).map(([a, name, b, c, of, d]) => `${a}${name}${b}:${c}${of}${d}`)
const event = fc.tuple(blank, fc.array(member, { maxLength: 6 }), blank)
  .map(([a, members, b]) => `${a}{${members.join(',')}}${b}`)
const goodMember = fc.tuple(fc.constantFrom(...fields, '\\u0061', 'd'), fc.oneof(wellFormed, fc.constantFrom('1', '"x"')))
  .map(([name, of]) => `"${name}":${of}`)
const goodEvent = fc.array(goodMember, { maxLength: 6 }).map((members) => `{${members.join(',')}}`)
const damaged = fc.tuple(fc.oneof(event, goodEvent), fc.nat(), fc.nat(3), fc.constantFrom('"', '\\', '{', '}', ',', ':', ' ', '0', 'é', '\u0000'))
  .map(([text, at, removed, inserted]) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + inserted + text.slice(place + removed)
  })
const line = fc.oneof(event, goodEvent, goodEvent, damaged, blank, value)
const buffer = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', '\n', '\n\n'))
  .map(([lines, end]) => Uint8Array.from(Buffer.from(lines.join('\n') + end)))
const bytes = fc.oneof(
  { weight: 8, arbitrary: buffer },
  { weight: 1, arbitrary: fc.tuple(buffer, fc.nat(), fc.nat(255)).map(([some, at, byte]) => some.fill(byte, at % (some.length + 1), at % (some.length + 1) + 1)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
)

test.for<[what: string, options: KernelOptions]>([
  ['with room', {}],
  ['with hardly any room', tiny],
])(`parses lines like JSON.parse, %s (seed ${seed})`, ([, options]) => {
  // Reuse the kernels, to test their caches too.
  const tracing = new TracingKernel(fields, options)
  let understood = 0
  fc.assert(fc.property(bytes, (some) => {
    const { lineCount, outcomes } = tracing.run(some)
    const expected = referenceOutcomes(some, fields)
    understood += outcomes.filter(({ values }) => values !== 'slow' && values.length > 1).length
    expect(lineCount).toBe(linesOf(some).length)
    expect(withoutLong(outcomes, options)).toEqual(withoutLong(expected, options))
  }), { seed, numRuns: 3_000 })
  const { counts } = tracing.kernel
  expect(understood).toBeGreaterThan(1_000)
  expect(counts.valueHits).toBeGreaterThan(0)
  expect(counts.keysForgotten > 0).toBe(options === tiny)
  expect(counts.signaturesForgotten > 0).toBe(options === tiny)
})

/** Drops lines longer than the input buffer, which are always slow. */
function withoutLong<T extends { readonly text: string }>(outcomes: readonly T[], { inputBytes = Infinity }: KernelOptions): T[] {
  return outcomes.filter(({ text }) => Buffer.byteLength(text) < inputBytes)
}

const recorded = 'events-windows-dev.ndjson.gz'
testWithShared([recorded], 'parses 5,000 recorded events like JSON.parse', () => {
  const names = ['Image', 'CommandLine', 'TargetObject', 'EventID', 'Channel', 'Provider_Name', 'Details', 'User']
  const lines: string[] = []
  for (const line of eachSharedLine(recorded)) if (lines.push(line) === 5_000) break
  const some = Uint8Array.from(Buffer.from(lines.join('\n')))
  const { lineCount, outcomes } = new TracingKernel(names, { inputBytes: 65_536 }).run(some)
  expect(lineCount).toBe(5_000)
  expect(outcomes).toEqual(referenceOutcomes(some, names))
  expect(outcomes.some(({ values }) => values === 'slow')).toBe(false)
})
