import { expect, test } from 'vitest'
import { readCursor, writeCursor } from './cursor.ts'
import type { CursorDeps, CursorList } from './cursor.ts'

const list: CursorList = { tenant: 'a', endpoint: '/v1/alerts', query: { sort: ['-created_at'], filters: { field: 'host' } } }
const place = { last: [1_700_000_000_000, 'Äb"😀', 'm1'], ordinal: 50 }
const day = 86_400_000

function depsAt(at = 1_000, key = 'a key'): CursorDeps {
  return { keys: { cursor: Buffer.from(key) }, clock: { now: () => at } }
}

const invalid = 'the cursor is invalid, expired or of another list'

test.for<[title: string, list: Partial<CursorList>, deps: CursorDeps, isRead: boolean]>([
  ['the same list', {}, depsAt(), true],
  ['until a day later', {}, depsAt(1_000 + day - 1), true],
  ['a day later', {}, depsAt(1_000 + day), false],
  ['another tenant', { tenant: 'b' }, depsAt(), false],
  ['another endpoint', { endpoint: '/v1/audit' }, depsAt(), false],
  ['another order', { query: { ...(list.query as object), sort: ['created_at'] } }, depsAt(), false],
  ['another filter', { query: { ...(list.query as object), filters: { field: 'user' } } }, depsAt(), false],
  ['another key', {}, depsAt(1_000, 'another key'), false],
])('%s', ([, otherList, deps, isRead]) => {
  const read = () => readCursor(deps, { ...list, ...otherList }, writeCursor(depsAt(), list, place))
  if (isRead) expect(read()).toEqual(place)
  else expect(read).toThrow(invalid)
})

test('what the first page decided is kept', () => {
  const search = { ...place, decided: [1, 2, 0] }
  expect(readCursor(depsAt(), list, writeCursor(depsAt(), list, search))).toEqual(search)
})

test('one flipped bit, anywhere, is rejected', () => {
  const cursor = Buffer.from(writeCursor(depsAt(), list, place), 'base64url')
  for (let bit = 0; bit < cursor.length * 8; bit++) {
    const changed = Buffer.from(cursor)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(() => readCursor(depsAt(), list, changed.toString('base64url')), `bit ${bit}`).toThrow(invalid)
  }
})

test.for<[cursor: string]>([
  [''], ['v1'], ['djE'], ['djI'], ['djI='], ['%'], ['x'.repeat(100)], ['A'.repeat(1_000_000)], ['djIAAAAAAAAAAAAAAAAAAAAA'],
])('not a cursor: %.20s', ([cursor]) => {
  expect(() => readCursor(depsAt(), list, cursor)).toThrow(invalid)
})

test('another spelling of the same bytes is rejected', () => {
  const cursor = writeCursor(depsAt(), list, place)
  expect(() => readCursor(depsAt(), list, `${cursor}=`)).toThrow(invalid)
  expect(() => readCursor(depsAt(), list, ` ${cursor}`)).toThrow(invalid)
})
