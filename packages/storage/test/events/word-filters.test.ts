import fc from 'fast-check'
import { compileEventCheck, readEvent } from '@tripline/engine/evaluate'
import type { Predicate } from '@tripline/engine/predicate'
import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/events/block/block.ts'
import { decodeHeader, getContentLength, headerLength } from '../../src/events/block/block-header.ts'
import { encodeBlock } from '../../src/events/block/encode-block.ts'
import type { BlockFormat } from '../../src/events/block/encode-block.ts'
import { Memtable } from '../../src/events/block/memtable.ts'
import { compileEventSearch } from '../../src/events/search/compile-search.ts'
import { matchBlock } from '../../src/events/search/match-block.ts'
import { TimeSlicer } from '../../src/events/search/time-slicer.ts'
import { BlockCache } from '../../src/events/segment/block-cache.ts'
import { StoredBlock } from '../../src/events/segment/stored-block.ts'
import { all, any, not, text } from './predicates.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_122)

function fillMemtable(lines: readonly Buffer[]): Memtable {
  const memtable = new Memtable(lines.length)
  for (const [sequence, bytes] of lines.entries()) memtable.add({ occurredAt: sequence, sequence, severity: 0, bytes, arrival: undefined })
  return memtable
}

/** A block whose bytes in these ranges, and whose parity, are corrupted beyond repair, and the bytes read from it. */
function openStored(bytes: Buffer, corrupted: readonly (readonly [start: number, end: number])[] = []) {
  const header = decodeHeader(bytes)!
  const copy = Buffer.from(bytes)
  const ranges = corrupted.length === 0 ? [] : [...corrupted, [getContentLength(header), bytes.length] as const]
  for (const [start, end] of ranges) for (let at = start; at < end; at++) copy[at]! ^= 0x55
  const cache = new BlockCache(1_000_000)
  const ignored: string[] = []
  let readBytes = 0
  const block = new StoredBlock(header, {
    offset: 0, cache, filterCache: cache, onFilterIgnored: (_block, problem) => ignored.push(problem),
    read: async (at, length) => {
      readBytes += length
      return copy.subarray(at, at + length)
    },
  })
  return { block, ignored, countReads: () => readBytes }
}

/** Where a block has its filters: its own, and those of its frames. */
async function locateFilters(bytes: Buffer): Promise<Record<'ofBlock' | 'ofFrames', readonly [start: number, end: number]>> {
  const { filterLength, directoryLength } = decodeHeader(bytes)!
  let framesLength = 0
  const bodyStart = headerLength + filterLength + directoryLength
  const { block, countReads } = openStored(bytes)
  await block.textFilter()
  const before = countReads()
  await block.frameFilters()
  framesLength = countReads() - before
  return { ofBlock: [headerLength, headerLength + filterLength], ofFrames: [bodyStart, bodyStart + framesLength] }
}

async function findSequences(block: Block, predicate: Predicate): Promise<number[]> {
  const turns = new TimeSlicer({ elapsedMs: () => 0, takeTurn: async () => 1 }, Infinity)
  const { sequences } = await matchBlock(block, { from: 0, to: 1e9 }, { search: compileEventSearch(predicate), turns })
  return [...sequences].sort((a, b) => a - b)
}

const guid = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'
const sha256 = 'BA20260CA44125853DFC6AD6D37FA04A3A0E6CB0EF733447F6FDAF03DF4BFD21'
const piece = fc.constantFrom(
  'quokka', 'QUOKKA', 'qzjq', 'Jqzj', 'İstanbul', 'istanbul', 'ıI', 'K', 'ſs', 'straße', 'é', '😀', '\ud83d', '\ud800x', '\u0000', '\n', '\\', '"', ':', ',',
  '10.77.3.9', '255.10.77.3.99', '1.5', '12345678901234567890', guid, sha256, sha256.toLowerCase().slice(3, 40), 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'x',
  'ab', ' ', '*', '?', '',
)
const someText = fc.oneof(
  { weight: 8, arbitrary: fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(piece, fc.constantFrom(300, 9_000)).map(([one, length]) => `${'filler-'.repeat(length / 7)}${one}`) },
)
const scalar = fc.oneof({ weight: 5, arbitrary: someText }, { weight: 1, arbitrary: fc.constantFrom(0, 1.5, 1e21, 12345678901, true, null) })
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(fc.oneof(scalar, fc.record({ b: scalar })), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('b', 'c"d'), scalar, { maxKeys: 2, noNullPrototype: true }) },
)
const fields = ['a', 'b', 'a.b', '_note', 'Hashes'] as const
const line = fc.tuple(
  fc.dictionary(fc.constantFrom('a', 'b', '_note', 'Hashes'), value, { maxKeys: 4, noNullPrototype: true }),
  fc.constantFrom('as it is', 'as it is', 'with a key that is escaped', 'with bytes that are no UTF-8'),
).map(([event, how]) => {
  if (how === 'with a key that is escaped') return Buffer.from(JSON.stringify({ ...event, 'q"': 1 }))
  const bytes = Buffer.from(JSON.stringify(event))
  if (how === 'as it is') return bytes
  return Buffer.concat([Buffer.from('{"bad":"quo'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('kka",'), bytes.subarray(1)])
}).filter((bytes) => !bytes.toString().endsWith(',}'))

/** Words as users write them, and parts of what the events have. */
const word = fc.oneof(piece, someText.map((one) => one.slice(0, 50)), fc.tuple(fc.constantFrom(guid, sha256, '10.77.3.9', 'quokka'), fc.nat(40), fc.nat(64))
  .map(([one, start, length]) => one.slice(start, start + length)))
const pattern = fc.oneof(
  word.map((one) => `*${one}*`),
  fc.tuple(word, word).map(([one, other]) => `*${one}*${other}*`),
  fc.tuple(word, word).map(([one, other]) => `*${one}?${other}*`),
  word.map((one) => `${one}*`), word.map((one) => `*${one}`), word,
)
const leaf = fc.tuple(fc.constantFrom(undefined, undefined, ...fields), pattern, fc.boolean()).map(([field, one, isCased]) => text(field, one, isCased))
const predicate: fc.Arbitrary<Predicate> = fc.oneof(
  { weight: 4, arbitrary: leaf }, leaf.map(not), fc.tuple(leaf, leaf).map((of) => all(...of)), fc.tuple(leaf, leaf).map((of) => any(...of)),
)

test(`a search finds the same with filters, without, with corrupted ones, and in memory (seed ${seed})`, async () => {
  let foundCount = 0
  let ruledOutCount = 0
  await fc.assert(fc.asyncProperty(
    fc.array(line, { minLength: 1, maxLength: 90 }), fc.array(predicate, { minLength: 4, maxLength: 12 }), fc.constantFrom(20, 400, 131_072),
    async (lines, predicates, chunkBytes) => {
      const memtable = fillMemtable(lines)
      const events = lines.map((bytes) => readEvent(bytes.toString('utf8')).event)
      const bytes = await encodeBlock(memtable, { chunkBytes })
      const { ofBlock, ofFrames } = await locateFilters(bytes)
      const blocks: [what: string, block: Block][] = [
        ['in memory', memtable], ['with filters', openStored(bytes).block],
        ['of format 3', openStored(await encodeBlock(memtable, { version: 3 })).block],
        ['of format 4', openStored(await encodeBlock(memtable, { version: 4, chunkBytes })).block],
        ['with a corrupted filter', openStored(bytes, [ofBlock]).block], ['with corrupted filters of frames', openStored(bytes, [ofFrames]).block],
        ['with corrupted filters', openStored(bytes, [ofBlock, ofFrames]).block],
      ]
      for (const one of predicates) {
        const want = [...compileEventCheck(one)(events)]
        for (const [what, block] of blocks) expect([what, one, await findSequences(block, one)]).toEqual([what, one, want])
        const { mayMatch } = compileEventSearch(one)
        const frames = await openStored(bytes).block.frameFilters()
        if (want.length > 0) foundCount++
        if (mayMatch?.({ mayEqualText: () => true, mayEqualNumber: () => true, ...frames! }) === false) ruledOutCount++
      }
    }), { seed, numRuns: 120 })
  expect([foundCount > 200, ruledOutCount > 20]).toEqual([true, true])
})

/** Events with values that never repeat, as a fleet has. */
function generateUnique(count: number): Buffer[] {
  let state = 7
  const next = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0
    return state >>> 0
  }
  const hex = (length: number): string => Array.from({ length }, () => (next() % 16).toString(16)).join('')
  return Array.from({ length: count }, (_, i) => Buffer.from(JSON.stringify({
    id: `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`, sha256: hex(64), md5: hex(32), address: `10.${next() % 250}.${next() % 250}.${next() % 250}`,
    host: `ws-${next() % 90_000}.corp.example`, command: `tool.exe --run ${next().toString(36)} --log c:\\logs\\${next().toString(36)}.txt ${i === 1_234 ? 'quokka' : ''}`,
    text: Array.from({ length: 20 }, () => next().toString(36)).join(' '),
  })))
}

describe('values that never repeat', () => {
  const lines = generateUnique(4_000)
  const memtable = fillMemtable(lines)

  test.for<[what: string, word: string]>([
    ['a GUID', '11111111-2222-4333-8444-5555deadbeef'], ['a checksum', 'd41d8cd98f00b204e9800998ecf8427e'], ['an address', '10.251.77.3'],
    ['a word', 'mimikatz'], ['a word of four letters', 'jkqz'], ['a host', 'laptop-0815.corp'],
  ])('%s that no event has is ruled out by the filters alone', async ([, word]) => {
    const { block, countReads } = openStored(await encodeBlock(memtable))
    expect(await findSequences(block, text(undefined, `*${word}*`))).toEqual([])
    const { filterLength } = block.bounds
    const opened = openStored(await encodeBlock(memtable))
    await opened.block.frameFilters()
    expect([countReads() >= filterLength, countReads() <= opened.countReads()]).toEqual([true, true])
  })

  test('a word that one event has costs a fraction of the block', async () => {
    const bytes = await encodeBlock(memtable)
    const { block, countReads } = openStored(bytes)
    expect(await findSequences(block, text(undefined, '*quokka*'))).toEqual([1_234])
    expect(countReads()).toBeLessThan(0.6 * bytes.length)
  })

  test('filters stay a bounded share of a block, whatever its values', async () => {
    const sizeOf = async (format: Partial<BlockFormat>): Promise<number> => (await encodeBlock(memtable, format)).length
    expect(await sizeOf({})).toBeLessThan(1.4 * await sizeOf({ version: 3 }))
  })
})

test('a corrupted filter is reported once', async () => {
  const bytes = await encodeBlock(fillMemtable(generateUnique(200)))
  const { ofBlock } = await locateFilters(bytes)
  const { block, ignored } = openStored(bytes, [ofBlock])
  for (const word of ['*quokka*', '*tool.exe*']) await findSequences(block, text(undefined, word))
  expect(ignored).toEqual(['the checksum is wrong'])
})
