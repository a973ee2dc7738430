import { newConnectorHealth } from '@tripline/model/connector'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openState } from '../src/open-state.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { auditKey, fill, newAlertWith, ruleWith } from './state-samples.ts'
import { everythingOf } from './tenant-calls.ts'

let folder: string
let path: string
let state: StateStore
/** The last event of what the tenant `a` was filled with. */
let last: number
const damagedTables: string[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-outbox-'))
  path = join(folder, 'state.db')
  damagedTables.length = 0
  state = await openState({ path, auditKey, onDamagedRow: (table) => damagedTables.push(table) })
  await fill(state)
  last = (await state.domainEvents.read('a', 0, 100)).readTo
})
afterEach(async () => {
  await state.close()
  rmSync(folder, { recursive: true })
})

/** Runs a statement as another program would. */
function execute(statement: string): void {
  const database = new DatabaseSync(path)
  database.exec(statement)
  database.close()
}

const terms = { expectedVersion: undefined, at: 50 }

test.for<[title: string, change: (state: StateStore) => Promise<unknown>]>([
  ['a created alert', ({ alerts }) => alerts.insert('a', [newAlertWith({ id: 'm2', dedupKey: 'other' })])],
  ['an updated alert', ({ alerts }) => alerts.update('a', 'm1', { status: 'resolved', comment: { id: 'c2', author: 'Ann', text: 'x' } }, terms)],
  ['a connector\'s status', ({ connectors }) => connectors.setHealth('a', 'p1', { ...newConnectorHealth, status: 'healthy' }, 50)],
  ['a removed connector', ({ connectors }) => connectors.remove('a', 'p1', 50)],
  ['a changed rule', ({ rules }) => rules.put('a', [ruleWith({ version: 2 })])],
  ['a removed rule', ({ rules }) => rules.remove('a', 'rule1', 50)],
])('where the outbox cannot be written, the change fails as a whole: %s', async ([, change]) => {
  const calls: unknown[] = []
  state.watchDomainEvents((...call) => void calls.push(call))
  const before = await everythingOf(state, 'a')
  execute(`create trigger full before insert on domain_events begin select raise(abort, 'no space'); end`)
  await expect(change(state)).rejects.toThrow('no space')
  expect(await everythingOf(state, 'a')).toEqual(before)
  expect(calls).toEqual([])
  execute('drop trigger full')
  await change(state)
  expect(calls).toEqual([['a', last + 1]])
})

test('a corrupted event is left out, and seen to be missing', async () => {
  execute(`update domain_events set data = '{"change":"removed"}' where seq = 1`)
  const { events, readTo } = await state.domainEvents.read('a', 0, 100)
  const others = Array.from({ length: last - 1 }, (_, index) => index + 2)
  expect([events.map(({ seq }) => seq), readTo, damagedTables]).toEqual([others, last, ['domainEvents']])
})

test('after a corrupted position a consumer starts at the oldest event that is kept, and its next position is good again', async () => {
  await state.domainEvents.savePosition('a', 'push', 3)
  execute('update domain_event_positions set seq = 4')
  expect(await state.domainEvents.positions('push')).toEqual(new Map())
  await state.domainEvents.savePosition('a', 'push', 4)
  expect(await state.domainEvents.positions('push')).toEqual(new Map([['a', 4]]))
})

test('an event of a newer program is left out, and seen to be missing', async () => {
  execute(`insert into domain_events values ('a', ${last + 1}, 'host.renamed', 'i1', 50, '{}', null)`)
  await state.close()
  state = await openState({ path, auditKey })
  expect(await state.domainEvents.read('a', last, 100)).toEqual({ events: [], readTo: last + 1 })
})
