import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listOf } from '../../test/kernel-host.ts'
import { fieldKinds } from './check-program.ts'
import { Kernel } from './kernel.ts'
import { keyCodes } from './key-codes.ts'
import type { KernelCallbacks } from './kernel.ts'
import type { KernelOptions } from './kernel-sizes.ts'
import type { KernelNeedle } from './needle-entries.ts'

const small: KernelOptions = { slotCount: 8, domainCount: 8, programCount: 4 }

/** A host that says what it was asked, in words; each part can be replaced. */
class SayingHost {
  readonly said: string[] = []
  readonly kernel: Kernel

  constructor(answers: Partial<KernelCallbacks> = {}, options: KernelOptions = small) {
    const say = (...words: (string | number)[]): void => { this.said.push(words.join(' ')) }
    this.kernel = new Kernel({
      keyCode: (start, length) => {
        say('key', this.text(start, length))
        return 'abcdefgh'.indexOf(this.text(start, length))
      },
      classOf: (domain, start, length) => {
        say('class', domain, this.text(start, length))
        return length
      },
      classOfFound: (domain, start, length, found) => {
        say('found in', domain, this.text(start, length), ...listOf(found))
        return length
      },
      resultOf: (section, met) => {
        const classes = listOf(met)
        if (classes.length > 0) say('met', section, ...classes)
        return classes.reduce((result, cls) => result * 10 + cls, section)
      },
      found: (line, start, length, section, result) => say('found', line, start, length, section, result),
      slowLine: (line, start, length) => say('slow', line, start, length),
      ...answers,
    }, options)
    this.kernel.setProgram(0, Int32Array.of(1, 0))
  }

  text(start: number, length: number): string {
    return Buffer.from(this.kernel.bytes.subarray(start, start + length)).toString()
  }

  /** Runs lines and answers what was said meanwhile. */
  run(lines: string): string[] {
    const lineCount = this.kernel.run(Uint8Array.from(Buffer.from(lines)))
    return [...this.said.splice(0), `${lineCount} lines`]
  }
}

test('the kernel is available where the tests run', () => {
  expect(Kernel.isAvailable).toBe(true)
})

test('asks once, and remembers', () => {
  const host = new SayingHost()
  host.kernel.setProgram(1, Int32Array.of(2, 1, 3, 0, 1, 0))
  const asked = ['key a', 'class 3 "x"', 'met 2 3']
  expect(host.run('{"a":"x"}\n{"a":"x"}')).toEqual([...asked, 'found 0 0 9 0 23', 'found 1 10 9 0 23', '2 lines'])
  expect(host.run('{ "a" : "x" }')).toEqual(['found 0 0 13 0 23', '1 lines'])
  expect(host.kernel.eventCounts[1]).toBe(3)
  host.kernel.clear()
  expect(host.run('{"a":"x"}')).toEqual([...asked, 'found 0 0 9 0 23', '1 lines'])
})

test.for<[what: string, words: readonly number[], event: string, said: readonly string[]]>([
  ['no section', [], '{"a":1}', []],
  ['a section without fields', [7, 0], '{"a":1}', ['found 0 0 7 0 7']],
  ['a result of 0', [0, 0], '{"a":1}', []],
  ['a field that is absent', [7, 1, 3, 0, 1, 1], '{"a":1}', ['found 0 0 7 0 7']],
  ['a field by its second name', [7, 1, 3, 0, 2, 1, 0], '{"a":1}', ['class 3 1', 'met 7 1', 'found 0 0 7 0 71']],
  ['a field by both its names', [7, 1, 3, 0, 2, 1, 0], '{"a":1,"b":22}', ['class 3 22', 'met 7 2', 'found 0 0 14 0 72']],
  ['a key that comes again', [7, 1, 3, 0, 1, 0], '{"a":1,"a":22}', ['class 3 22', 'met 7 2', 'found 0 0 14 0 72']],
  ['two sections that ask the same', [7, 1, 3, 0, 1, 0, 8, 1, 3, 0, 1, 0], '{"a":1}',
    ['class 3 1', 'met 7 1', 'found 0 0 7 0 71', 'met 8 1', 'found 0 0 7 1 81']],
  ['two domains', [0, 2, 3, 0, 1, 0, 4, 0, 1, 0], '{"a":1}',
    ['class 3 1', 'class 4 1', 'met 0 1 1', 'found 0 0 7 0 11']],
  ['a list as a value', [7, 1, 3, 0, 1, 0], '{"a":["]"]}', ['class 3 ["]"]', 'met 7 5', 'found 0 0 11 0 75']],
  ['a line', [7, 1, 3, 2, 0], '{"a":1}', ['class 3 {"a":1}', 'met 7 7', 'found 0 0 7 0 77']],
])('runs %s', ([, words, event, said]) => {
  const host = new SayingHost()
  host.kernel.setProgram(1, Int32Array.from(words))
  expect(host.run(event).filter((sentence) => !sentence.startsWith('key'))).toEqual([...said, '1 lines'])
})

test.for<[what: string, event: string, isAsked: boolean]>([
  ['equal texts', '{"a":"x","b":"x"}', true],
  ['texts equal but for case', '{"a":"C:\\\\WINDOWS\\\\x.EXE","b":"c:\\\\windows\\\\X.exe"}', true],
  ['different texts', '{"a":"C:\\\\x.exe","b":"C:\\\\y.exe"}', false],
  ['texts of different lengths', '{"a":"x","b":"xy"}', false],
  ['long texts that differ at the end', `{"a":"${'x'.repeat(40)}a","b":"${'x'.repeat(40)}b"}`, false],
  ['long texts that are the same', `{"a":"${'x'.repeat(40)}a","b":"${'X'.repeat(40)}A"}`, true],
  ['another case of other letters', '{"a":"É","b":"é"}', true],
  ['a letter written by its code', '{"a":"x","b":"\\u0078"}', true],
  ['a slash with an escape', '{"a":"/","b":"\\/"}', true],
  ['other escapes', '{"a":"\\n","b":"\\t"}', false],
  ['values that are no strings', '{"a":1,"b":"1"}', true],
  ['a second name of the other field', '{"a":"x","c":"x"}', true],
  ['one field alone', '{"a":"x"}', false],
  ['the other field alone', '{"b":"x"}', false],
])('of a pair with %s asks: %s', ([, event, isAsked]) => {
  const host = new SayingHost()
  host.kernel.setProgram(1, Int32Array.from([7, 1, 3, 1, 4, 1, 0, 1, 2]))
  expect(host.run(event).some((sentence) => sentence.startsWith('class'))).toBe(isAsked)
})

test.for<[what: string, lines: string, said: readonly string[]]>([
  ['nothing', '', ['0 lines']],
  ['blank lines', '\n \r\n\t', ['3 lines']],
  ['an empty event', '{}', ['found 0 0 2 0 2', '1 lines']],
  ['carriage returns', '{}\r\n{}\r\n', ['found 0 0 3 0 2', 'found 1 4 3 0 2', '2 lines']],
  ['a line that is no event', '[]\n{}', ['slow 0 0 2', 'found 1 3 2 0 2', '2 lines']],
  ['a byte order mark', '\ufeff{}', ['slow 0 0 5', '1 lines']],
  ['an event cut off', '{"a":"\n{}', ['key a', 'slow 0 0 6', 'found 1 7 2 0 2', '2 lines']],
  ['a zero byte for a key', '{"\u0000":1}', ['slow 0 0 7', '1 lines']],
  ['no key at all', '{"', ['slow 0 0 2', '1 lines']],
])('reads %s', ([, lines, said]) => {
  const host = new SayingHost()
  host.kernel.setProgram(1, Int32Array.of(2, 0))
  expect(host.run(lines)).toEqual(said)
})

test('cuts lines into pieces that fit, and hands over one that does not', () => {
  const host = new SayingHost({}, { ...small, inputBytes: 8 })
  host.kernel.setProgram(1, Int32Array.of(2, 0))
  expect(host.run('{}\n{"a":1}\n{"a":12}\n{}\n{"a":1}'))
    .toEqual(['found 0 0 2 0 2', 'key a', 'found 1 3 7 0 2', 'slow 2 11 8', 'found 3 20 2 0 2', 'found 4 23 7 0 2', '5 lines'])
})

describe('what is found in values', () => {
  const needles = ['xx', 'yy'].map((text): KernelNeedle => ({ anchor: 'anywhere', text }))
  const program = Int32Array.of(2, 1, 3, 0, 1, 0)

  function hostWithNeedles(answers: Partial<KernelCallbacks> = {}, options: KernelOptions = small): SayingHost {
    const host = new SayingHost({ resultOf: (section) => section, found: () => undefined, ...answers }, options)
    host.kernel.setProgram(1, program)
    host.kernel.setNeedles(3, needles)
    return host
  }

  function eventsOf(...values: readonly string[]): string {
    return values.map((value) => `{"a":"${value}"}`).join('\n')
  }

  function asked(host: SayingHost, events: string): string[] {
    return host.run(events).filter((sentence) => !/^key|lines$/.test(sentence))
  }

  test('is asked about once', () => {
    const host = hostWithNeedles()
    expect(asked(host, eventsOf('xx1', 'xx2', 'yyxx', 'xxYY', 'yy xx', 'none', '', 'no', 'XX')))
      .toEqual(['found in 3 "xx1" 0', 'found in 3 "yyxx" 1 0', 'found in 3 "xxYY" 0 1', 'found in 3 "none"'])
    expect(host.kernel.counts).toMatchObject({ foundMisses: 4, foundForgotten: 0 })
    host.kernel.clear()
    expect(asked(host, eventsOf('xx3'))).toEqual(['found in 3 "xx3" 0'])
  })

  test('is asked about again where the class does not follow from it', () => {
    const met: number[][] = []
    const host = hostWithNeedles({
      classOfFound: (_, start, length) => ~Number(host.text(start, length).at(3)),
      resultOf: (section, classes) => {
        if (section === 2) met.push(listOf(classes))
        return section
      },
    })
    host.run(eventsOf('xx1', 'xx2', 'xx1', 'xx3'))
    expect(met).toEqual([[1], [2], [3]])
  })

  test('is not asked about where the value is no text that can be searched', () => {
    expect(asked(hostWithNeedles(), '{"a":"xxé"}\n{"a":["xx"]}\n{"a":1}')).toEqual(['class 3 "xxé"', 'class 3 ["xx"]', 'class 3 1'])
  })

  test('is what it was, whatever the host looks for meanwhile', () => {
    const others = Array.from({ length: 9_000 }, (_, n): KernelNeedle => ({ anchor: 'anywhere', text: `${9_999 - n}` }))
    const host = hostWithNeedles({
      classOfFound: (_, start, length, { count }) => {
        host.said.push(host.text(start, length))
        // As many needles, other ones, and the memory grows.
        host.kernel.setNeedles(4, [...others])
        host.kernel.findNeedles(4, start, length)
        return count
      },
    })
    expect(asked(host, eventsOf('xx1000', 'xx1001', 'yy1000', 'xx1000', 'yy1001', 'xx1002'))).toEqual(['"xx1000"', '"yy1000"'])
  })

  test('is forgotten when there is no more room', () => {
    const host = hostWithNeedles({}, { ...small, needleListCount: 2 })
    expect(asked(host, eventsOf('xx1', 'yy1', 'xx2', 'xxyy', 'xx3', 'yy2', 'xxyy2'))).toEqual([
      'found in 3 "xx1" 0', 'found in 3 "yy1" 1', 'found in 3 "xxyy" 0 1',
      'found in 3 "xx3" 0', 'found in 3 "yy2" 1', 'found in 3 "xxyy2" 0 1',
    ])
    expect(host.kernel.counts).toMatchObject({ foundMisses: 6, foundForgotten: 2 })
  })

  test('is asked about each time where it is more than 4,095 needles', () => {
    const host = hostWithNeedles({ classOfFound: () => 1 })
    const many = Array.from({ length: 4_096 }, (_, n): KernelNeedle => ({ anchor: 'anywhere', text: String(1_000_000 + n) }))
    host.kernel.setNeedles(3, many)
    const texts = many.map(({ text }) => text)
    const thrice = (text: string): string => eventsOf(text, text, text)
    host.run(thrice(texts.join(' ')))
    expect(host.kernel.counts).toMatchObject({ foundMisses: 3 })
    host.run(thrice(texts.slice(1).join(' ')))
    expect(host.kernel.counts).toMatchObject({ foundMisses: 4 })
  })
})

test('asks about a value of more than 4,095 bytes each time', () => {
  const host = new SayingHost({ classOf: () => 1 })
  host.kernel.setProgram(1, Int32Array.of(2, 1, 3, 0, 1, 0))
  const event = (length: number): string => `{"a":"${'x'.repeat(length - 2)}"}\n`
  host.run(event(4_095).repeat(3) + event(4_096).repeat(3))
  expect(host.kernel.counts).toMatchObject({ valueMisses: 4, valueHits: 2, signatureMisses: 2 })
})

test('forgets a table when it is full, and goes on', () => {
  const sizes = { keyCount: 2, keyBytes: 8_192, valueCount: 2, valueBytes: 8_192, signatureCount: 2 }
  const host = new SayingHost({ keyCode: () => 0 }, { ...small, ...sizes })
  host.kernel.setProgram(1, Int32Array.of(2, 1, 3, 0, 1, 0))
  const lines = Array.from({ length: 9 }, (_, i) => `{"k${i}":"${'x'.repeat(i)}"}`)
  expect(host.run(lines.join('\n')).filter((sentence) => sentence.startsWith('found'))).toHaveLength(9)
  expect(host.kernel.counts).toMatchObject({ keysForgotten: 4, valuesForgotten: 4, signaturesForgotten: 8 })
})

test('answers of each value what the host did, whatever it forgets in between', () => {
  const sizes = { valueCount: 4, valueBytes: 8_192, signatureCount: 4 }
  const digit = fc.integer({ min: 1, max: 9 })
  const results: number[] = []
  fc.assert(
    fc.property(fc.array(fc.tuple(digit, digit, fc.constantFrom(1, 1_600, 4_000)), { maxLength: 40, size: 'max' }), (events) => {
      const host: SayingHost = new SayingHost({
        classOf: (_, start, length) => Number(host.text(start, length).at(1)),
        found: (_line, _start, _length, _section, result) => void results.push(result),
      }, { ...small, ...sizes })
      host.kernel.setProgram(1, Int32Array.of(0, 2, 3, 0, 1, 0, 3, 0, 1, 1))
      results.length = 0
      host.run(events.map(([a, b, length]) => `{"a":"${String(a).repeat(length)}","b":"${String(b).repeat(length)}"}`).join('\n'))
      expect(results).toEqual(events.map(([a, b]) => 10 * a + b))
    }),
    { numRuns: 1_000 },
  )
})

test('a line whose routing leads to no program is slow', () => {
  const host = new SayingHost()
  expect(host.run('{}')).toEqual(['slow 0 0 2', '1 lines'])
})

test('the host sets programs while lines are run', () => {
  const host = new SayingHost({
    resultOf: (section) => {
      // Long enough for the memory to grow under the kernel's feet.
      if (section === 1) host.kernel.setProgram(1, Int32Array.from({ length: 2 ** 16 }, (_, i) => (i % 2 === 0 ? 3 : 0)))
      return section
    },
  })
  expect(host.run('{}\n{}')).toHaveLength(2 * 2 ** 15 + 1)
})

test('what the host throws ends the run, and the kernel can be used on', () => {
  const host = new SayingHost({ classOf: () => { throw new Error('no class today') } })
  host.kernel.setProgram(1, Int32Array.of(2, 1, 3, 0, 1, 0))
  expect(() => host.run('{"a":1}')).toThrow('no class today')
  host.said.length = 0
  expect(host.run('{"b":1}')).toEqual(['key b', 'found 0 0 7 0 2', '1 lines'])
})

test('a field of the kind text asks once for all texts that are not empty', () => {
  const host = new SayingHost()
  host.kernel.setProgram(1, Int32Array.of(0, 1, 3, fieldKinds.text, 1, 0))
  expect(host.run('{"a":"x"}')).toEqual(['key a', 'class 3 "?"', 'met 0 3', 'found 0 0 9 0 3', '1 lines'])
  expect(host.run('{"a":"another"}')).toEqual(['found 0 0 15 0 3', '1 lines'])
  expect(host.run('{"a":""}')).toEqual(['class 3 ""', 'met 0 2', 'found 0 0 8 0 2', '1 lines'])
  expect(host.run('{"a":["x"]}')).toEqual(['class 3 ["x"]', 'met 0 5', 'found 0 0 11 0 5', '1 lines'])
  expect(host.run('{"a":"?"}')).toEqual(['found 0 0 9 0 3', '1 lines'])
  expect(host.run('{"b":1}')).toEqual(['key b', '1 lines'])
})

test('the host reads the slots of the current event', () => {
  const host = new SayingHost({
    classOf: () => {
      const { kernel } = host
      host.said.push(host.text(kernel.slotStart(1), kernel.slotLength(1)), `${kernel.slotStart(2)}`)
      return 0
    },
  })
  host.kernel.setProgram(1, Int32Array.of(0, 1, 3, 0, 1, 0))
  expect(host.run('{"c":1}\n{"a":1,"b":true}')).toEqual(['key c', 'key a', 'key b', 'true', '0', '2 lines'])
})

describe('refuses', () => {
  const program = (number: number, ...words: number[]) => ({ kernel }: SayingHost): void => {
    kernel.setProgram(number, Int32Array.from(words))
  }

  test.for<[message: string, act: (host: SayingHost) => void]>([
    ['program 0 has 2 sections, it must have one', program(0, 1, 0, 1, 0)],
    ['4 is not a program of this kernel; it must be an integer from 0 to 3', program(4, 1, 0)],
    ['the program ends where word 1 should be a count of fields', program(1, 1)],
    ['word 5 of the program is 8, a slot is below 8', program(1, 1, 1, 3, 0, 1, 8)],
    ['word 2 of the program is -1, a domain is below 8', program(1, 1, 1, -1, 0, 1, 0)],
    ['word 3 of the program is 4, a kind is below 4', program(1, 1, 1, 3, 4, 1, 0)],
    ['8 is not a slot of this kernel; it must be an integer from 0 to 7', ({ kernel }) => kernel.slotStart(8)],
    ['9 is not a domain of this kernel; it must be an integer from 0 to 7', ({ kernel }) => kernel.setLineFilter(9, [])],
    ["the kernel's valueCount is 3; it must be a power of two", () => new SayingHost({}, { valueCount: 3 })],
    ["the kernel's keyBytes is 100; it must be at least 8192", () => new SayingHost({}, { keyBytes: 100 })],
    ['-3 is not a slot of this kernel; it must be an integer from 0 to 7', () => new SayingHost({ keyCode: () => -3 }).run('{"a":1}')],
    ['the kernel is running lines: call run and clear only between runs', () => {
      const host: SayingHost = new SayingHost({ resultOf: () => host.kernel.run(new Uint8Array()) })
      host.run('{}')
    }],
  ])('%s', ([message, act]) => {
    const host = new SayingHost()
    expect(() => act(host)).toThrow(message)
  })
  test('codes of keys are not slots', () => {
    expect(Object.values(keyCodes).every((code) => code < 0)).toBe(true)
  })
})
