import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemoryState } from './open-memory-state.ts'
import type { ChangeResult } from '../src/ports/change.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { auditKey, newAlertWith, newIncidentWith, sightingWith, tenantWith } from './state-samples.ts'

let store: StateStore
beforeAll(async () => {
  store = await openMemoryState({ auditKey })
  await store.tenants.insert(tenantWith({}))
})
afterAll(() => store.close())

const at = 2_000
let added = 0
const by = { by: 'ann', at, expectedVersion: undefined }

/** A resource that is created, what the system adds to it, another edit of it, and an edit that expects a version. */
type Case = {
  readonly create: () => Promise<unknown>
  readonly version: () => Promise<number | undefined>
  readonly add: () => Promise<unknown>
  readonly editFirst: () => Promise<unknown>
  readonly edit: (seen: number) => Promise<ChangeResult<unknown> | { readonly outcome: 'keyless' | 'taken' }>
}

const insertIncident = (id: string) => () => store.incidents.insert('a', newIncidentWith({ id }), [], by)

const incidentCase = (id: string): Omit<Case, 'add'> => ({
  create: insertIncident(id),
  version: async () => (await store.incidents.get('a', id))?.version,
  editFirst: () => store.incidents.update('a', id, { status: 'contained' }, by),
  edit: (expectedVersion) => store.incidents.update('a', id, { title: 'Edited' }, { ...by, expectedVersion }),
})

const cases: { readonly [title: string]: Case } = {
  'an alert that further matches join': {
    create: () => store.alerts.insert('a', [newAlertWith({})]),
    version: async () => (await store.alerts.get('a', 'm1'))?.version,
    add: () => store.alerts.insert('a', [newAlertWith({ id: `m1 ${++added}` })]),
    editFirst: () => store.alerts.update('a', 'm1', { assignee: 'bob@example.org' }, by),
    edit: (expectedVersion) => store.alerts.update('a', 'm1', { assignee: 'ann@example.org' }, { at, expectedVersion }),
  },
  'an incident whose deliveries are noted': {
    ...incidentCase('noted'), add: () => store.incidents.note('a', 'noted', { action: 'delivery', detail: {} }, { ...by, by: 'webhooks' }),
  },
  'an incident that alerts join': {
    ...incidentCase('joined'),
    add: async () => {
      const id = `joined ${++added}`
      await store.alerts.insert('a', [newAlertWith({ id, dedupKey: id })])
      return await store.incidents.addAlerts('a', 'joined', [(await store.alerts.get('a', id))!], { ...by, by: 'grouping' })
    },
  },
  'an incident whose alert has a later event': {
    ...incidentCase('grown'),
    create: async () => {
      await store.alerts.insert('a', [newAlertWith({ id: 'g', dedupKey: 'g' })])
      await store.incidents.insert('a', newIncidentWith({ id: 'grown' }), [(await store.alerts.get('a', 'g'))!], by)
    },
    add: () => {
      const eventRef = { occurredAt: 5_000 + ++added, by: 'offset', number: 1 } as const
      return store.alerts.insert('a', [newAlertWith({ id: `g ${added}`, dedupKey: 'g', eventRef })])
    },
  },
  'an asset that events tell of': {
    create: () => store.assets.observe('a', [sightingWith({ id: 'as9', facts: { hostname: 'web-9' }, identifiers: [{ kind: 'name', value: 'web-9' }] })], { at }),
    version: async () => (await store.assets.get('a', 'as9'))?.version,
    add: () => store.assets.observe('a', [sightingWith({
      id: 'other', facts: { hostname: 'web-9', ipAddresses: [`10.0.0.${++added}`] }, identifiers: [{ kind: 'name', value: 'web-9' }],
    })], { at }),
    editFirst: () => store.assets.update('a', 'as9', { owner: 'bob' }, by),
    edit: (expectedVersion) => store.assets.update('a', 'as9', { owner: 'ann' }, { at, expectedVersion }),
  },
}

test.for(Object.entries(cases))('%s can be edited by who saw it before, but not over an edit', async ([, { create, version, add, editFirst, edit }]) => {
  await create()
  const seen = (await version())!
  await add()
  expect(await version()).toBeGreaterThan(seen)
  expect(await edit(seen + 5)).toMatchObject({ outcome: 'stale' })
  expect(await edit(seen)).toMatchObject({ outcome: 'changed' })
  const edited = (await version())!
  await editFirst()
  await add()
  expect(await edit(edited)).toMatchObject({ outcome: 'stale', version: (await version())! })
})
