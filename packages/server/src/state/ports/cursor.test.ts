import { expect, test } from 'vitest'
import { parseCursor, printCursor } from './cursor.ts'
import type { CursorList, CursorTerms } from './cursor.ts'

const list: CursorList = { tenant: 'a', endpoint: '/v1/alerts', query: { sort: ['-created_at'], filters: { field: 'host' } } }
const terms: CursorTerms = { key: Buffer.from('a key'), at: 1_000 }
const place = { last: [1_700_000_000_000, 'Äb"😀', 'm1'], ordinal: 50 }
const day = 86_400_000

test.for<[title: string, list: Partial<CursorList>, terms: Partial<CursorTerms>, isRead: boolean]>([
  ['the same list', {}, {}, true],
  ['until a day later', {}, { at: 1_000 + day - 1 }, true],
  ['a day later', {}, { at: 1_000 + day }, false],
  ['another tenant', { tenant: 'b' }, {}, false],
  ['another endpoint', { endpoint: '/v1/audit' }, {}, false],
  ['another order', { query: { ...(list.query as object), sort: ['created_at'] } }, {}, false],
  ['another filter', { query: { ...(list.query as object), filters: { field: 'user' } } }, {}, false],
  ['another key', {}, { key: Buffer.from('another key') }, false],
])('%s', ([, otherList, otherTerms, isRead]) => {
  const read = parseCursor({ ...list, ...otherList }, printCursor(list, place, terms), { ...terms, ...otherTerms })
  expect(read).toEqual(isRead ? place : undefined)
})

test('one flipped bit, anywhere, is rejected', () => {
  const cursor = Buffer.from(printCursor(list, place, terms), 'base64url')
  for (let bit = 0; bit < cursor.length * 8; bit++) {
    const changed = Buffer.from(cursor)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(parseCursor(list, changed.toString('base64url'), terms), `bit ${bit}`).toBeUndefined()
  }
})

test.for<[cursor: string]>([[''], ['v1'], ['djE'], ['djE='], ['%'], ['x'.repeat(100)], ['A'.repeat(1_000_000)], ['djEAAAAAAAAAAAAAAAAAAAAA']])(
  'not a cursor: %.20s',
  ([cursor]) => {
    expect(parseCursor(list, cursor, terms)).toBeUndefined()
  },
)

test('another spelling of the same bytes is rejected', () => {
  const cursor = printCursor(list, place, terms)
  expect(parseCursor(list, `${cursor}=`, terms)).toBeUndefined()
  expect(parseCursor(list, ` ${cursor}`, terms)).toBeUndefined()
})
