import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listOf } from '../../test/kernel-host.ts'
import { isRunIn, isTextIn } from '../../test/reference/reference-needle.ts'
import { QGramIndex } from '../candidates/q-gram-index.ts'
import { foldCase } from '../event/fold-case.ts'
import { parseNumber } from '../event/parse-number.ts'
import { finishSteps } from '../finish-steps.ts'
import { limits } from '../limits.ts'
import { Kernel } from './kernel.ts'
import type { KernelOptions } from './kernel-sizes.ts'
import type { KernelNeedle, RunNeedle, TextNeedle } from './needle-entries.ts'
import { buildNeedleLayout } from './needle-layout.ts'

const small: KernelOptions = {
  inputBytes: 2 ** 18, keyCount: 4, keyBytes: 8_192, valueCount: 16, valueBytes: 16_384, needleListCount: 4,
  signatureCount: 4, slotCount: 1, programCount: 2, domainCount: 2,
}

/** What a kernel finds of needles in values as written in JSON, ascending; what it leaves to its host is undefined. */
class NeedleSearch {
  readonly #kernel: Kernel
  #found: (number[] | undefined)[] = []

  constructor(needles: readonly KernelNeedle[] | undefined) {
    this.#kernel = new Kernel({
      keyCode: () => 0,
      classOf: () => {
        this.#found.push(undefined)
        return 0
      },
      classOfFound: (_, start, length, found) => {
        const numbers = listOf(found)
        this.#found.push(numbers.toSorted((a, b) => a - b))
        if (this.#kernel.findNeedles(1, start, length)?.count !== numbers.length) throw new Error('looked for again, something else is found')
        // Of this value alone: others in which the same is found are to be shown as well.
        return ~0
      },
      resultOf: (section) => section,
      found: () => undefined,
      slowLine: (line) => { throw new Error(`line ${line} is slow`) },
    }, small)
    this.#kernel.setProgram(0, Int32Array.of(1, 0))
    this.#kernel.setProgram(1, Int32Array.of(0, 1, 1, 0, 1, 0))
    if (needles !== undefined) this.#kernel.setNeedles(1, needles)
  }

  find(values: readonly string[]): (number[] | undefined)[] {
    this.#found = []
    this.#kernel.clear()
    this.#kernel.run(Uint8Array.from(Buffer.from(values.map((value) => `{"a":${value}}`).join('\n'))))
    return this.#found
  }
}

/** Parses `start:text` and the like, a run as `3:abc` and a number as `number:1.5`; text alone may stand anywhere. */
function needleOf(text: string): KernelNeedle {
  const [, least, characters] = /^(\d+):(.*)$/s.exec(text) ?? []
  if (characters !== undefined) return { anchor: 'run', text: characters, least: Number(least) }
  const [, anchor = 'anywhere', rest = text] = /^(whole|start|end|anywhere|number):(.*)$/s.exec(text) ?? []
  return { anchor: anchor as 'number' | TextNeedle['anchor'], text: rest }
}

test.for<[needles: readonly string[], value: string, found: readonly number[] | undefined]>([
  [['mimikatz', 'mimidog'], '"x MimiKatz x"', [0]],
  [['end:\\cmd.exe', 'start:c:\\', 'end:\\cmd'], '"C:\\\\Windows\\\\cmd.exe"', [0, 1]],
  [['end:.exe', 'start:.exe', 'whole:.exe', '.exe'], '".EXE"', [0, 1, 2, 3]],
  [['end:.exe', 'start:.exe', 'whole:.exe', '.exe'], '"a.exe.b"', [3]],
  [['whole:', 'whole:a'], '""', [0]],
  [['whole:', 'whole:a'], '"A"', [1]],
  [['a', 'b', 'end:c', 'start:ab', 'end:xbc', 'bc', 'abc', 'cb'], '"abc"', [0, 1, 2, 3, 5, 6]],
  [['%', '"', '\u0000', '\u007f'], '"100%\\"\\u0000\\u007F"', [0, 1, 2, 3]],
  [['powershell', 'powershell', 'end:powershell'], '"powershell powershell"', [0, 1, 2]],
  [['a/b\n\t\r\b\fz'], '"a\\/b\\n\\t\\r\\b\\fz"', [0]],
  [['a"b\\c'], '"\\u0041\\u0022B\\u005c\\u0063"', [0]],
  [['été', 'abc'], '"abc"', [1]],
  [['abc'], '"abc é"', undefined],
  [['abc'], '"abc \\u00e9"', undefined],
  [['kat'], '"\\u212aat"', undefined],
  [['abc'], '["abc"]', undefined],
  [['123'], '1234', undefined],
  [['null'], 'null', undefined],
  [[], '"abc"', []],
  [['été'], '"abc"', []],
  [['start:', 'end:', ''], '"abc"', []],
  [['4:abc', '5:abc', '4:ab'], '"xAbcAx"', [0]],
  [['3:\\/'], '"\\\\\\/\\\\"', [0]],
  [['3:a', '2:a', 'aaa'], '"aa"', [1]],
  [['3:ab', '3:b'], '"abxbabxxbbb"', [0, 1]],
  [['number:0', 'whole:0', '0'], '"0"', [0, 1, 2]],
  [['number:12', 'x'], '"\\u0031\\u0032"', [0]],
  [['number:12'], '"112"', []],
  [['number:12'], '"0x12"', []],
  [['number:12'], '"x12"', []],
  [['number:12'], '""', []],
  [['number:12'], '"é12"', undefined],
  [['number:12'], '12', undefined],
  [['number:12'], '"12.0"', undefined],
  [['number:12'], '"012"', undefined],
  [['number:12'], '"00"', undefined],
  [['number:12'], '" 12"', undefined],
  [['number:12'], '"\\t12"', undefined],
  [['number:12'], '"12 "', undefined],
  [['number:12'], '"+12"', undefined],
  [['number:12'], '"1.2e1"', undefined],
  [['number:12', '2e'], '"12e0"', undefined],
  [['number:0.5', '5'], '".5"', undefined],
  [['number:0.5', '5'], '"5"', [1]],
  [['number:-1'], '"-1"', undefined],
  [['number:-1'], '"1"', []],
  [['number:1e+21', 'x'], '"xx"', [1]],
  [['number:999999999999999'], '"999999999999999"', [0]],
  [['number:1000000000000000'], '"1000000000000000"', undefined],
  [['64:0123456789abcdef', '65:0123456789abcdef'], `"x ${'0aF'.repeat(21)}B y"`, [0]],
])('of %j, %s holds %j', ([needles, value, found]) => {
  const search = new NeedleSearch(needles.map(needleOf))
  expect(search.find([value])).toEqual([found])
  // What was found before makes no difference.
  expect(search.find(['"x"', value, value.toLowerCase() === value ? '"y"' : value]).at(1)).toEqual(found)
})

test('without needles, everything is left to the host', () => {
  expect(new NeedleSearch(undefined).find(['"abc"'])).toEqual([undefined])
})

const anchor = fc.constantFrom<TextNeedle['anchor']>('whole', 'start', 'end', 'anywhere')
const letters = fc.constantFrom(...Array.from('aab\\/"%k.é\u0000'))
const someText = fc.string({ unit: letters, minLength: 1, maxLength: 9 })
const textNeedle: fc.Arbitrary<TextNeedle> = fc.record({
  anchor, text: fc.oneof(someText, fc.constantFrom('\\windows\\system32\\', 'a'.repeat(40))),
})
const runNeedle: fc.Arbitrary<RunNeedle> = fc.record({
  anchor: fc.constant('run' as const), text: fc.constantFrom('a', 'ab', 'k\\/', '"%.\u0000'), least: fc.integer({ min: 1, max: 45 }),
})
const needle = fc.oneof({ weight: 9, arbitrary: textNeedle }, { weight: 1, arbitrary: runNeedle })
const part = fc.oneof(someText, fc.constantFrom('\\Windows\\System32\\', 'A'.repeat(40)))
const value = fc.oneof(
  fc.string({ unit: fc.oneof(letters, fc.constantFrom('A', 'B', 'K')), maxLength: 40 }),
  fc.array(part, { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: fc.constantFrom('é', '\u212a', 'a'), maxLength: 5 }),
)
/** How a character may be written in JSON besides as JSON.stringify does. */
const writing = fc.array(fc.nat(9), { maxLength: 20 })

function write(text: string, ways: readonly number[]): string {
  const characters = Array.from(text, (character, at) => {
    const isByNumber = ways[at % (ways.length || 1)] === 0
    if (!isByNumber) return character === '/' && ways.length > 10 ? '\\/' : JSON.stringify(character).slice(1, -1)
    return Array.from(character, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`).join('')
  })
  return `"${characters.join('')}"`
}

test('finds what the finder for texts finds, and what the language says', () => {
  let found = 0
  const someNeedles = fc.uniqueArray(needle, { maxLength: 40, selector: (one) => JSON.stringify(one) })
  fc.assert(fc.property(someNeedles, fc.array(value, { maxLength: 6 }), writing, (needles, values, ways) => {
    const finder = new QGramIndex(needles)
    const isSearched = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)
    const expected = values.map((text) => {
      const numbers: number[] = []
      finder.find(text, numbers)
      const held = heldNumbers(needles, text)
      expect([...new Set(numbers)].toSorted((a, b) => a - b)).toEqual(held)
      return isSearched(text) ? held : undefined
    })
    found += expected.flat().length
    // A value that comes again is not asked about again.
    const search = new NeedleSearch(needles)
    expect(values.map((text) => search.find([write(text, ways)])[0])).toEqual(expected)
  }), { seed: 20_262, numRuns: 1_000 })
  expect(found).toBeGreaterThan(1_000)
})

/** Needles that stand in no value of the tests, but change how those beside them are looked for. */
const fillers = {
  none: [],
  'so many of 5 bytes that every place is looked at': fillersOf(65, 5),
  'so many of 3 bytes that pairs have no filter': fillersOf(257, 3),
  'so many that every place is looked at': fillersOf(8_193, 8),
}
const fillerNames = ['none', ...Object.keys(fillers).slice(1)] as (keyof typeof fillers)[]

function fillersOf(count: number, length: number): KernelNeedle[] {
  return Array.from({ length: count }, (_, number) => needleOf(number.toString(36).padStart(length, '#')))
}

const anchors = ['whole', 'start', 'end', 'anywhere'] as const
const offsets = [0, 1, 2, 3, 4, 5, 6, 7, 8, 30, 31]

test.for(fillerNames.flatMap((name) => [1, 4, 7].map((lengthMin) => [name, lengthMin] as const)))(
  'besides fillers, %s, finds needles of %d to 12 bytes at every offset',
  ([name, lengthMin]) => {
    const texts = Array.from({ length: 13 - lengthMin }, (_, index) => 'abcdefghijkl'.slice(0, lengthMin + index))
    const needles = texts.flatMap((text) => anchors.map((where): KernelNeedle => ({ anchor: where, text })))
    const search = new NeedleSearch([...needles, ...fillers[name]])
    const values = texts.flatMap((text) => offsets.flatMap((before) => {
      return offsets.map((behind) => `${'x'.repeat(before)}${text}${'x'.repeat(behind)}`)
    }))
    const cut = ['', 'a', 'ab', 'abc', 'xbc', 'abcdefg'.repeat(9), 'abcdefgh'.repeat(9), 'abcdefghi'.repeat(9)]
    const all = [...new Set([...values, ...cut])]
    expect(search.find(all.map((text) => `"${text}"`))).toEqual(all.map((text) => heldNumbers(needles, text)))
  },
)

test('finds the same as the language for lengths about those of grams, whatever else is looked for', () => {
  let found = 0
  const size = 'max'
  const needlesOf = (minLength: number): fc.Arbitrary<KernelNeedle[]> => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength: 9, size })
    return fc.array(fc.record({ anchor, text }), { minLength: 1, maxLength: 30, size })
  }
  const someNeedles = fc.constantFrom(1, 4, 7).chain(needlesOf)
  const someValue = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', 'a', 'b', 'c'), maxLength: 60, size })
  const someValues = fc.array(someValue, { maxLength: 6 })
  const filler = fc.constantFrom(...fillerNames.slice(0, 3))
  fc.assert(fc.property(someNeedles, someValues, filler, (needles, values, name) => {
    const search = new NeedleSearch([...needles, ...fillers[name]])
    const expected = values.map((value) => heldNumbers(needles, foldCase(value)))
    expect(values.map((value) => search.find([`"${value}"`])[0])).toEqual(expected)
    found += expected.flat().length
  }), { seed: 20_263, numRuns: 500 })
  expect(found).toBeGreaterThan(1_000)
})

test('finds the numbers that texts state, or leaves them to the host', () => {
  let found = 0
  let left = 0
  const stated = fc.string({ unit: fc.constantFrom(...Array.from('00112.+-eEx\t ')), maxLength: 6 })
  const shortest = fc.nat({ max: 12 }).map(String)
  const numbers = fc.uniqueArray(fc.constantFrom(0, 1, 2, 10, 12, 100, 0.1, -1, 1e21, 1e-7), { minLength: 1 })
  fc.assert(fc.property(numbers, fc.oneof(stated, shortest), (wanted, text) => {
    const needles = wanted.map((number): KernelNeedle => ({ anchor: 'number', text: String(number) }))
    const [numbersFound] = new NeedleSearch(needles).find([JSON.stringify(text)])
    if (numbersFound === undefined) left++
    else expect(numbersFound).toEqual(heldNumbers(needles, text))
    found += numbersFound?.length ?? 0
    // What is mostly written is not left to the host.
    if (text === String(Number(text)) && !/[.e-]/.test(text)) expect(numbersFound).toBeDefined()
  }), { seed: 20_264, numRuns: 2_000 })
  expect([found > 100, left > 100]).toEqual([true, true])
})

function heldNumbers(needles: readonly KernelNeedle[], text: string): number[] {
  return needles.flatMap((one, number) => (isHeld(one, text) ? [number] : []))
}

function isHeld(one: KernelNeedle, text: string): boolean {
  switch (one.anchor) {
    case 'run':
      return isRunIn({ characters: one.text, least: one.least }, text)
    case 'number':
      return parseNumber(text) === Number(one.text)
    default:
      return isTextIn({ anchor: one.anchor, text: one.text }, foldCase(text))
  }
}

test('finds each of 20,000 needles in one text of all of them', () => {
  const texts = Array.from({ length: 20_000 }, (_, number) => `<${(number * 7_919).toString(36)}>`)
  const [found] = new NeedleSearch(texts.map(needleOf)).find([`"${texts.join('')}"`])
  expect(found).toEqual([...texts.keys()])
})

test('finds a needle again however many values lie between', () => {
  const isHolding = (number: number): boolean => number % 255 === 0 || number % 256 === 0
  const values = Array.from({ length: 1_000 }, (_, number) => `"${isHolding(number) ? 'abc' : 'xyz'} ${number}"`)
  const found = new NeedleSearch([needleOf('abc')]).find(values)
  expect(found).toEqual(values.map((_, number) => isHolding(number) ? [0] : []))
})

describe('the layout', () => {
  test.for<[count: number, bytesMax: number]>([
    [5_000, 140],
    [20_000, 42],
  ])('of %d needles takes at most %d bytes for each, besides its text', ([count, bytesMax]) => {
    const needles = Array.from({ length: count }, (_, number) => needleOf(`needle ${number}`))
    const textSize = needles.reduce((sum, { text }) => sum + Math.ceil(text.length / 4) * 4, 0)
    expect((finishSteps(buildNeedleLayout(needles)).length - textSize) / needles.length).toBeLessThan(bytesMax)
  })

  test('is refused for too many needles', () => {
    const needles = Array.from({ length: limits.kernelNeedlesMax + 1 }, () => needleOf('abc'))
    expect(() => new NeedleSearch(needles)).toThrow('a domain has 1048577 needles; at most 1048576 are allowed')
  })
})
