import { expect, test } from 'vitest'
import { DedupWindow, shortenId } from './dedup-window.ts'
import type { DedupWindowBounds } from './dedup-window.ts'

const bounds: DedupWindowBounds = { idsMax: 6, windowMs: 1_000, partMax: 2 }

/** Ids with arrival times, as `id@time`; a dot is a restart. Returns the new ones. */
function newOnes(line: string, isRestarting = true): string {
  const kept = new Map<string, Uint8Array>()
  let seen = new DedupWindow(bounds, { generation: 1, newerSince: 0 })
  const found: string[] = []
  for (const word of line.split(' ')) {
    const [id = '', at = '0'] = word.split('@')
    if (word !== '.') {
      if (seen.add(id, Number(at))) found.push(id)
    } else if (isRestarting) {
      const { put, drop } = seen.changes()
      for (const name of drop) kept.delete(name)
      for (const [name, bytes] of put) kept.set(name, bytes)
      seen.saved()
      expect(seen.changes()).toEqual({ put: new Map(), drop: [] })
      const { header } = seen
      seen = new DedupWindow(bounds, header)
      for (const [name, bytes] of kept) seen.load(name, bytes)
    }
  }
  return found.join(' ')
}

test.for<[line: string, found: string]>([
  ['a a . a b', 'a b'],
  ['a@0 b@999 . a@999 a@1999', 'a b'],
  ['a@0 b@1000 . a@1001 c@2000 a@2001 . a@2002', 'a b c a'],
  ['a b c . d . a e f g a', 'a b c d e f g a'],
  ['a b . c . d e . f . g . a d', 'a b c d e f g a'],
  ['a@5000 . b@100 . a@5100', 'a b'],
])('%s', ([line, found]) => {
  expect(newOnes(line)).toBe(found)
  expect(newOnes(line, false)).toBe(found)
})

test('long ids are kept apart', () => {
  const long = 'x'.repeat(1_000)
  expect(shortenId(long).length).toBeLessThanOrEqual(64)
  expect(shortenId(long)).not.toBe(shortenId(`${long}y`))
  expect(shortenId('short')).toBe('short')
})
