import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { array, assert, asyncProperty, integer, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFile, readEvents } from './read-file.ts'
import { none, text, writeEvtx } from './write-evtx.ts'
import type { RawValue, TemplateElement } from './write-evtx.ts'

const template: TemplateElement = {
  name: 'Event',
  attributes: { xmlns: 'urn:events' },
  content: [
    { name: 'System', content: [{ name: 'EventID', attributes: { Qualifiers: 1 }, content: 0 }, { name: 'Security', content: undefined }] },
    { name: 'EventData', content: [
      { name: 'Data', attributes: { Name: 'Image' }, content: 2 },
      { name: 'Data', content: 3 },
      { name: 'Data', content: 'fixed' },
    ] },
  ],
}

/** The bytes of a number. */
function number(type: number, byteLength: number, value: bigint): RawValue {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return { type, bytes: bytes.subarray(0, byteLength) }
}

const id = number(6, 2, 4_624n)

test('reads records of several chunks, which define names and templates of their own', async () => {
  const log = writeEvtx(template, [[[id, none, text('a.exe'), text('x')], [id, number(6, 2, 9n), none, none]], [[id, none, text('ü'), none]]])
  const head = { '#attributes': { xmlns: 'urn:events' } }
  const expected = [
    { Event: { ...head, System: { EventID: 4624, Security: null }, EventData: { Image: 'a.exe', Data: ['x', 'fixed'] } } },
    { Event: {
      ...head, System: { EventID: { '#attributes': { Qualifiers: 9 }, '#text': 4624 }, Security: null }, EventData: { Data: 'fixed' },
    } },
    { Event: { ...head, System: { EventID: 4624, Security: null }, EventData: { Image: 'ü', Data: 'fixed' } } },
  ]
  expect(await readEvents(log)).toEqual(expected)
  expect(await readEvents(log, 1_000)).toEqual(expected)
})

const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex')

test.for<[title: string, value: RawValue, json: string]>([
  ['a text with its NUL', { type: 1, bytes: Buffer.from('a\0', 'utf16le') }, '"a"'],
  ['an empty text', text(''), '""'],
  ['int8', number(3, 1, -2n), '-2'],
  ['uint8', number(4, 1, 254n), '254'],
  ['int16', number(5, 2, -2n), '-2'],
  ['int32', number(7, 4, -2n), '-2'],
  ['uint32', number(8, 4, 4_294_967_295n), '4294967295'],
  ['int64 beyond doubles', number(9, 8, -9_007_199_254_740_993n), '-9007199254740993'],
  ['uint64 beyond doubles', number(10, 8, 18_446_744_073_709_551_615n), '18446744073709551615'],
  ['a double', { type: 12, bytes: Buffer.from(new Float64Array([1.5]).buffer) }, '1.5'],
  ['an infinite double', { type: 12, bytes: Buffer.from(new Float64Array([Infinity]).buffer) }, '"Infinity"'],
  ['a boolean', number(13, 4, 1n), 'true'],
  ['bytes', { type: 14, bytes: bytesOf('00ff') }, '"00FF"'],
  ['a GUID', { type: 15, bytes: bytesOf('2596845478549449a5ba3e3b0328c30d') }, '"{54849625-5478-4994-a5ba-3e3b0328c30d}"'],
  ['a file time', number(17, 8, 132_000_000_000_000_001n), '"2019-04-17T18:40:00.0000001Z"'],
  ['a system time', { type: 18, bytes: bytesOf('e8070500030001000a0000000100f401') }, '"2024-05-01T10:00:01.500Z"'],
  ['a security identifier', { type: 19, bytes: bytesOf('010200000000000520000000f4010000') }, '"S-1-5-32-500"'],
  ['hexadecimal', number(20, 4, 0x3e7n), '"0x3e7"'],
  ['a list of texts', { type: 0x81, bytes: Buffer.from('a\0b\0', 'utf16le') }, '{"#text":["a","b"]}'],
  ['a list of numbers', { type: 0x86, bytes: bytesOf('01000200') }, '{"#text":[1,2]}'],
])('%s', async ([, value, json]) => {
  const { lines, problems } = await readFile(writeEvtx({ name: 'Event', content: [{ name: 'v', content: 0 }] }, [[[value]]]))
  expect({ lines, problems }).toEqual({ lines: [`{"Event":{"v":${json}}}`], problems: [] })
})

describe('a corrupted log', () => {
  const values = (name: string): RawValue[] => [id, none, text(name), none]
  const log = writeEvtx(template, [[values('a'), values('b')], [values('c')]])

  test('loses a record with a broken value alone', async () => {
    const broken = writeEvtx(template, [[values('a'), [{ type: 0x77, bytes: Buffer.alloc(2) }, none, none, none], values('c')]])
    const { lines, problems } = await readFile(broken)
    expect(lines.map((line) => /"Image":"(\w)"/.exec(line)?.[1])).toEqual(['a', undefined, 'c'])
    expect(problems).toEqual(['1: the record cannot be decoded: 0x77 is no type of a value'])
  })

  test('loses a broken chunk alone', async () => {
    const bytes = Buffer.from(log)
    bytes.write('nonsense', 4_096)
    const { lines, problems } = await readFile(bytes)
    expect(lines.map((line) => /"Image":"(\w)"/.exec(line)?.[1])).toEqual([undefined, 'c'])
    expect(problems).toEqual(['0: a chunk of 65,536 bytes is corrupted'])
  })

  test.for<[title: string, length: number, events: number]>([
    ['within its header', 100, 0],
    ['behind a whole chunk', 4_096 + 65_536 + 600, 2],
    ['within the second chunk', 4_096 + 65_536 + 40_000, 3],
  ])('that ends %s is read as far as it goes, with a problem', async ([, length, events]) => {
    const { lines, problems } = await readFile(log.subarray(0, length))
    expect(lines.filter((line) => line !== '')).toHaveLength(events)
    expect(problems).toEqual([expect.stringContaining('the log ends within')])
  })

  test('never throws and never hangs, whatever its bytes are', async () => {
    const flips = array(record({ at: integer({ min: 4_096, max: 5_200 }), value: integer({ min: 0, max: 255 }) }), { minLength: 1, maxLength: 8 })
    await assert(asyncProperty(flips, async (changes) => {
      const bytes = Buffer.from(log)
      for (const { at, value } of changes) bytes[at] = value
      const { lines } = await readFile(bytes)
      expect(lines.filter((line) => line !== '' && typeof JSON.parse(line) !== 'object')).toEqual([])
    }), { numRuns: 300 })
  })

  test('a template that uses itself is refused', async () => {
    const bytes = writeEvtx({ name: 'Event', content: 'x'.repeat(20) }, [[[text('x')]]])
    // In place of its text the template uses the template at its own offset: behind the headers, and what begins a use.
    const use = bytes.indexOf(Buffer.from('xxxx', 'utf16le')) - 4
    bytes.writeUInt16LE(0x010c, use)
    bytes.writeUInt32LE(512 + 24 + 14, use + 6)
    const { problems } = await readFile(bytes)
    expect(problems).toEqual(['0: the record cannot be decoded: elements nest deeper than 64 levels'])
  })
})

test('any text survives', async () => {
  await assert(asyncProperty(array(string({ unit: 'binary', maxLength: 20 }), { minLength: 1, maxLength: 5 }), async (texts) => {
    const clean = texts.map((one) => one.replaceAll('\0', 'x'))
    const events = await readEvents(writeEvtx({ name: 'Event', content: [{ name: 'v', content: 0 }] }, [clean.map((one) => [text(one)])]))
    expect(events).toEqual(clean.map((v) => ({ Event: { v } })))
  }), { numRuns: 50 })
})

const archive = fileURLToPath(new URL('../../../../shared/data/evtx-dev.tar.gz', import.meta.url))

test.skipIf(!existsSync(archive))('logs of public recordings are the same events as their exports by evtx_dump', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-evtx-'))
  try {
    execFileSync('tar', ['xzf', archive, '-C', folder])
    const logs = readdirSync(join(folder, 'evtx')).filter((name) => name.endsWith('.evtx'))
    let count = 0
    for (const name of logs) {
      const path = join(folder, 'evtx', name)
      const exported = readFileSync(`${path}.ndjson`, 'utf8').trim().split('\n')
      expect(await readEvents(readFileSync(path), 100_000)).toEqual(exported.map((line): unknown => JSON.parse(line)))
      count += exported.length
    }
    expect(count).toBeGreaterThan(1_000)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
