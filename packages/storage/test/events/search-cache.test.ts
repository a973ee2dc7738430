import type { Predicate } from '@tripline/engine/predicate'
import { expect, test } from 'vitest'
import type { FileSystem } from '../../src/disk/file-system.ts'
import { GroupCache } from '../../src/events/search/search-cache.ts'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { newEvent, queryOf } from './conformance.ts'
import { not, regex, text } from './predicates.ts'
import { SimulatedDisk } from './simulated-disk.ts'

/** Caches that hold the text filters of all blocks and hardly anything else. */
const sizes = { blockRowsMax: 20, logFileBytesMax: 100_000, logFilesMax: 2, cacheBytesMax: 0, filterBytesMax: 40_000 }

/** A disk that counts the bytes read. */
function countReads(disk: FileSystem): { readonly disk: FileSystem; readonly take: () => number } {
  let readBytes = 0
  const take = (): number => {
    const count = readBytes
    readBytes = 0
    return count
  }
  const open: FileSystem['open'] = async (path, use) => {
    const file = await disk.open(path, use)
    const read: typeof file.read = (position, length) => {
      readBytes += length
      return file.read(position, length)
    }
    return { size: () => file.size(), read, write: (bytes, at) => file.write(bytes, at), truncate: (size) => file.truncate(size),
      sync: () => file.sync(), close: () => file.close() }
  }
  const others = {
    list: disk.list.bind(disk), makeFolder: disk.makeFolder.bind(disk), syncFolder: disk.syncFolder.bind(disk),
    remove: disk.remove.bind(disk), rename: disk.rename.bind(disk),
  }
  return { disk: { open, ...others }, take }
}

async function openFilled() {
  const { disk, take } = countReads(new SimulatedDisk())
  const store = await openSegmentEventStore({ disk, elapsedMs: () => 0, sizes })
  for (let i = 0; i < 200; i++) await store.append('t', [newEvent(i, { note: `ran ${i % 10 === 0 ? 'quokka' : 'wombat'} number ${i}`, user: 'alice' })])
  await store.flush()
  take()
  return { store, take }
}

test('a search for a word that was made before reads nothing, and finds the same', async () => {
  const { store, take } = await openFilled()
  const query = queryOf({ limit: 5, extent: 'histogram', to: 200, predicate: text(undefined, '*quokka*') })
  const first = await store.search(query)
  expect([first.total, take() > 0]).toEqual([20, true])
  expect(await store.search(query)).toEqual({ ...first, scanned: { ...first.scanned, readCount: 0, readByteCount: 0 } })
  expect(take()).toBe(0)
  const second = await store.search({ ...query, after: first.cursor!, extent: 'page' })
  expect(second.events.map(({ occurredAt }) => occurredAt)).toEqual([140, 130, 120, 110, 100])
  await store.append('t', [newEvent(150, { note: 'ran quokka late' })])
  expect((await store.search(query)).total).toBe(21)
  await store.close()
})

test('a word that no block has reads no more than the filters, once', async () => {
  const { store, take } = await openFilled()
  const search = (word: string) => store.search(queryOf({ extent: 'total', predicate: text(undefined, `*${word}*`) }))
  expect((await search('zebrafinch')).total).toBe(0)
  expect(take()).toBeGreaterThan(0)
  expect((await search('axolotl')).total).toBe(0)
  expect(take()).toBe(0)
  await store.close()
})

test.for<[title: string, one: Predicate, other: Predicate]>([
  ['another word', text(undefined, '*quokka*'), text(undefined, '*wombat*')],
  ['the opposite', text(undefined, '*quokka*'), not(text(undefined, '*quokka*'))],
  ['in another case', text(undefined, '*QUOKKA*', true), text(undefined, '*QUOKKA*')],
  ['an expression', regex(undefined, 'quokka'), regex(undefined, 'wombat')],
  ['within a field', text('note', '*quokka*'), text('user', '*quokka*')],
])('results are not those of %s', async ([, one, other]) => {
  const { store } = await openFilled()
  const totalOf = async (predicate: Predicate) => (await store.search(queryOf({ extent: 'total', to: 200, predicate }))).total
  expect(await totalOf(one)).not.toBe(await totalOf(other))
  await store.close()
})

test('a cache of groups drops the group that was not used for longest, and keeps one from filling it', () => {
  const cache = new GroupCache<string, number, string>(2_000)
  cache.set('a', 1, 'a1', 200)
  cache.set('b', 1, 'b1', 200)
  cache.set('a', 2, 'too much for one group', 600)
  expect([cache.get('a', 1), cache.get('a', 2), cache.get('b', 1)]).toEqual(['a1', undefined, 'b1'])
  expect(cache.get('a', 1)).toBe('a1')
  cache.set('c', 1, 'c1', 500)
  cache.set('d', 1, 'd1', 300)
  expect([cache.get('b', 1), cache.get('a', 1), cache.get('c', 1), cache.get('d', 1)]).toEqual([undefined, 'a1', 'c1', 'd1'])
})
