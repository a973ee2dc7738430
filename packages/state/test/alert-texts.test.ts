import { anyContainsText } from '@tripline/model/lists/evaluate-filter'
import type { Filter } from '@tripline/model/lists/filter'
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { openState } from '../src/open-state.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { auditKey, newAlertWith, tenantWith } from './state-samples.ts'

let folder: string
let path: string
let store: StateStore
const statements: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-texts-'))
  path = join(folder, 'state.db')
  await open()
  for (const id of ['a', 'b']) await store.tenants.insert(tenantWith({ id }))
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(): Promise<void> {
  store = await openState({ path, auditKey, onStatement: (text) => statements.push(text) })
}

const hosts = [
  'Web-01', 'ab', 'a"b"c', "o'neill", '100%_sure', 'back\\slash', 'Straße', 'ÄPFEL', '日本語ホスト', 'x😀y😀z', ' spaces  ', 'a\nb', '*', 'AND OR NOT',
]

async function insert(tenant: string, id: string, host: string): Promise<void> {
  const sample = newAlertWith({ id, dedupKey: id, ruleTitle: 'Rule', description: 'Told', matchedAt: 1_000 })
  await store.alerts.insert(tenant, [{ ...sample, event: { ...sample.event, host, user: 'u', commandLine: 'c' } }])
}

/** Changes the database beside the store. */
function runSql(text: string): void {
  const database = new DatabaseSync(path)
  database.exec(text)
  database.close()
}

const newestFirst = [{ field: 'created_at', direction: 'desc' }] as const

async function find(tenant: string, text: string): Promise<readonly string[]> {
  return (await store.alerts.list(tenant, { text, order: newestFirst, limit: 100 })).entries.map(({ id }) => id).toSorted()
}

test('a text is found as reading all rows would find it', async () => {
  for (const [n, host] of hosts.entries()) await insert('a', `id-${n}`, host)
  const parts = hosts.flatMap((host) => [...host].flatMap((_, at) => [1, 2, 3, 4, 9].map((length) => [...host].slice(at, at + length).join(''))))
  for (const text of new Set([...hosts, ...parts, 'absent', 'ab"', '""', 'WEB', 'äpfel'])) {
    const expected = hosts.flatMap((host, n) => (anyContainsText(['Rule', host, 'u', 'c', `id-${n}`], text) ? [`id-${n}`] : []))
    expect([text, await find('a', text)]).toEqual([text, expected.toSorted()])
  }
  expect(await find('a', 'no\0such')).toEqual([])
})

test('a filter for a part of several fields is found by their trigrams as well', async () => {
  for (const [n, host] of hosts.entries()) await insert('a', `id-${n}`, host)
  const contains = (field: string, value: string): Filter => ({ field, operator: 'contains', value })
  const list = async (filter: Filter) => (await store.alerts.list('a', { where: [filter], limit: 100 })).total
  expect(await list({ or: [contains('rule_title', 'told'), contains('description', 'told')] })).toEqual({ count: hosts.length, isExact: true })
  expect(await list({ and: [contains('description', 'told'), contains('host', 'web-')] })).toEqual({ count: 1, isExact: true })
  expect(await list({ not: contains('host', 'web-') })).toEqual({ count: hosts.length - 1, isExact: true })
})

test('the index follows alerts that are changed and removed', async () => {
  await insert('a', 'one', 'first-host')
  await insert('a', 'two', 'first-host')
  runSql(`update alerts set host = 'other-name' where id = 'two'`)
  expect([await find('a', 'first-host'), await find('a', 'other-name')]).toEqual([['one'], ['two']])
  expect(await store.alerts.removeOld('a', { before: 2_000, limit: 1 })).toBe(1)
  expect([...await find('a', 'first-host'), ...await find('a', 'other-name')]).toHaveLength(1)
})

test('a database that was vacuumed, which numbers its rows anew, gets its index anew', async () => {
  for (const id of ['one', 'two', 'three']) await insert('a', id, `${id}-host`)
  await store.alerts.removeOld('a', { before: 2_000, limit: 1 })
  await store.close()
  runSql('vacuum')
  await open()
  const left = (await store.alerts.list('a', { limit: 10 })).entries
  expect(left).toHaveLength(2)
  for (const { id, event: { host } } of left) expect(await find('a', host)).toEqual([id])
})

test('a text of many alerts is counted up to the bound, and one of few among those of others exactly', async () => {
  const { countedMax } = limits.state
  await insert('a', 'mine', 'common-name')
  await insert('b', 'theirs', 'common-name')
  await store.close()
  const database = new DatabaseSync(path)
  const columns = database.prepare("select name from pragma_table_info('alerts')").all().map(({ name }) => String(name))
  const copied = columns.map((name) => (name === 'id' ? `'copy-' || n` : name === 'created_at' ? 'created_at + n' : name))
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${countedMax + 5})
    insert into alerts (${columns.join(', ')}) select ${copied.join(', ')} from numbers, (select * from alerts where id = 'theirs')`)
  database.close()
  await open()
  const [mine, theirs] = await Promise.all(['a', 'b'].map((tenant) =>
    store.alerts.list(tenant, { text: 'Common-Name', order: newestFirst, limit: 1, skip: 0 })))
  expect(mine).toMatchObject({ entries: [{ id: 'mine' }], total: { count: 1, isExact: true } })
  expect(theirs).toMatchObject({ entries: [{ id: `copy-${countedMax + 5}` }], total: { count: countedMax, isExact: false } })
  const second = await store.alerts.list('b', { text: 'common-name', order: newestFirst, limit: 1, after: theirs!.next! })
  expect(second).toMatchObject({ entries: [{ id: `copy-${countedMax + 4}` }], total: { count: countedMax, isExact: false } })
  for (const text of ['N-', 'c']) {
    const short = await store.alerts.list('b', { text, order: newestFirst, limit: 1 })
    expect(short).toMatchObject({ entries: [{ id: `copy-${countedMax + 5}` }], total: { count: countedMax, isExact: false } })
  }
  expect(await store.alerts.list('b', { text: 'zq', limit: 1 })).toMatchObject({ entries: [], total: { count: 0, isExact: true } })
  const few = await store.alerts.list('b', { text: 'common-name copy', order: newestFirst, limit: 1 })
  expect(few).toMatchObject({ entries: [], total: { count: 0, isExact: true } })
})

test('the total of a text that most of its candidates have is counted among them, not by all rows', async () => {
  const { countedMax } = limits.state
  await insert('a', 'first', 'common-name')
  await store.close()
  const database = new DatabaseSync(path)
  const columns = database.prepare("select name from pragma_table_info('alerts')").all().map(({ name }) => String(name))
  // Each tenth has all trigrams of the text, and not the text.
  const values: { readonly [column: string]: string } = {
    id: `'copy-' || n`, created_at: 'created_at + n', host: `case when n % 10 = 0 then 'common-n -name' else host end`,
  }
  const copied = columns.map((name) => values[name] ?? name)
  const copy = (from: number, to: number): void => database.exec(`with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${to})
    insert into alerts (${columns.join(', ')}) select ${copied.join(', ')} from numbers, (select * from alerts where id = 'first')`)
  copy(1, countedMax + 1_000)
  await open()
  const read = async () => (await store.alerts.list('a', { text: 'common-name', order: newestFirst, limit: 1 })).total
  expect(await read()).toEqual({ count: 1 + (countedMax + 1_000) * 9 / 10, isExact: true })
  copy(countedMax + 1_001, countedMax + 2_000)
  statements.length = 0
  expect(await read()).toEqual({ count: countedMax, isExact: false })
  const counts = statements.filter((text) => text.includes('count(*)'))
  expect(counts.length).toBeGreaterThan(0)
  expect(counts.filter((text) => !text.includes('"alert_texts"'))).toEqual([])
  database.close()
})
