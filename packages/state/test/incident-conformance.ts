import type { Alert } from '@tripline/model/alert'
import { addToFacts, countEntities, noFacts } from '@tripline/model/incidents/incident-facts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StateStore } from '../src/ports/state-store.ts'
import { newAlertWith, newIncidentWith, tenantWith } from './state-samples.ts'

const parameters = { seed: Number(process.env['TRIPLINE_SEED'] ?? 7), numRuns: 15 }
const levels = ['low', 'medium', 'high', 'critical'] as const
const terms = { at: 5_000, by: 'ann', expectedVersion: undefined }

/** What the reference knows of an incident: its alerts, and the actions of its timeline. */
type Case = { readonly members: Set<string>; readonly actions: string[]; isMerged: boolean }

/** The behaviour of every incident store. */
export function describeIncidents(store: () => StateStore): void {
  let tenants = 0

  describe('incidents', () => {
    test('know their alerts and their history after any changes, like a slow reference', async () => {
      const steps = fc.array(fc.tuple(fc.nat(7), fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 25 })
      await fc.assert(fc.asyncProperty(steps, async (steps) => {
        const tenant = `incidents ${++tenants}`
        await store().tenants.insert(tenantWith({ id: tenant }))
        const { alerts, incidents, incidentTimeline } = store()
        const cases = new Map<string, Case>()
        const ever = new Set<string>()
        const known: string[] = []
        const homeOf = (alertId: string): string | undefined => [...cases].find(([, { members }]) => members.has(alertId))?.[0]
        const read = async (ids: readonly string[]): Promise<readonly Alert[]> =>
          (await Promise.all(ids.map((id) => alerts.get(tenant, id)))).filter((alert) => alert !== undefined)
        const pickCase = (seed: number): [string, Case] | undefined => [...cases].filter(([, { isMerged }]) => !isMerged).at(seed % Math.max(1, cases.size))

        for (const [kind, first, second] of steps) {
          const free = known.filter((id) => homeOf(id) === undefined)
          const some = free.slice(first % Math.max(1, free.length)).slice(0, 3)
          const [id, one] = pickCase(first) ?? []
          if (kind <= 1) {
            const alertId = `m${known.length}`
            const event = { processName: '', commandLine: '', user: '', host: `h${second % 4}`, statedTime: '' }
            await alerts.insert(tenant, [newAlertWith({ id: alertId, dedupKey: alertId, level: levels[second % 4]!, event, matchedAt: 1 + first })])
            known.push(alertId)
            const grown = known[first % known.length]!
            const eventRef = { occurredAt: 1 + second, by: 'offset', number: first } as const
            await alerts.insert(tenant, [newAlertWith({ id: `${alertId} of ${grown}`, dedupKey: grown, dedupMs: 1_000, matchedAt: 60, eventRef })])
          } else if (kind === 2) {
            const newId = `in${cases.size}`
            await incidents.insert(tenant, newIncidentWith({ id: newId }), await read(some), terms)
            cases.set(newId, { members: new Set(some), actions: ['created', ...some.map(() => 'alert_added')], isMerged: false })
          } else if (id === undefined || one === undefined) {
            continue
          } else if (kind === 3) {
            const again = [...one.members].slice(0, 1)
            await incidents.addAlerts(tenant, id, await read([...some, ...again]), terms)
            for (const alertId of some) one.members.add(alertId)
            one.actions.push(...some.map(() => 'alert_added'))
          } else if (kind === 4) {
            const leaving = [...one.members].slice(0, 1 + (second % 2))
            await incidents.removeAlerts(tenant, id, [...leaving, 'm999'], terms)
            for (const alertId of leaving) one.members.delete(alertId)
            one.actions.push(...leaving.map(() => 'alert_removed'))
          } else if (kind === 5) {
            const [otherId, other] = pickCase(second) ?? []
            if (otherId === undefined || other === undefined || otherId === id) continue
            const moved = await read([...one.members])
            await incidents.moveAlerts(tenant, { from: id, to: otherId, alerts: moved, fromAction: 'merged_into', toAction: 'merged_from' }, terms)
            await incidents.markMerged(tenant, id, otherId, terms)
            for (const alertId of one.members) other.members.add(alertId)
            one.members.clear()
            one.actions.push('merged_into', 'status_changed')
            other.actions.push('merged_from')
            one.isMerged = true
          } else if (kind === 6) {
            const moved = [...one.members].slice(0, 1)
            const newId = `in${cases.size}`
            await incidents.insert(tenant, newIncidentWith({ id: newId }), [], terms)
            await incidents.moveAlerts(
              tenant, { from: id, to: newId, alerts: await read(moved), fromAction: 'split_into', toAction: 'split_from' }, terms,
            )
            for (const alertId of moved) one.members.delete(alertId)
            one.actions.push('split_into')
            cases.set(newId, { members: new Set(moved), actions: ['created', 'split_from'], isMerged: false })
          } else {
            await incidents.addComment(tenant, id, { id: `c${one.actions.length}`, text: 'seen' }, terms)
            one.actions.push('commented')
          }
          for (const { members } of cases.values()) for (const alertId of members) ever.add(alertId)
        }

        for (const [id, { members, actions }] of cases) {
          const held = await read([...members])
          const incident = await incidents.get(tenant, id)
          expect(incident).toMatchObject(addToFacts(noFacts, held))
          expect(incident?.level).toBe(addToFacts(noFacts, held).worst?.level ?? incident?.level)
          const counted = [...countEntities(held)].sort((a, b) => b.alertCount - a.alertCount || (a.value < b.value ? -1 : 1))
          expect(incident?.entities).toEqual(counted)
          expect((await incidents.alerts(tenant, id, 1_000)).map((alert) => alert.id).sort()).toEqual([...members].sort())
          const { entries } = await incidentTimeline.list(tenant, {
            where: [{ field: 'incident_id', operator: 'eq', value: id }], order: [{ field: 'number', direction: 'asc' }], limit: 1_000,
          })
          expect(entries.map(({ number, action }) => `${number} ${action}`)).toEqual(actions.map((action, index) => `${index + 1} ${action}`))
          expect(incident?.timelineLength).toBe(actions.length)
        }
        for (const alert of await read(known)) expect(alert.incidentId).toBe(homeOf(alert.id))
        expect(await incidents.findGrouped(tenant, known)).toEqual(ever)
      }), parameters)
    })

    test('that are old are removed with all of theirs, and alerts of those that stay are kept', async () => {
      const { alerts, incidents, incidentTimeline } = store()
      expect(await alerts.removeOld('a', { before: 1e6, limit: 9 })).toBe(1)
      expect((await alerts.get('a', 'm8'))?.incidentId).toBe('in1')
      expect(await incidents.removeOld('a', { before: 1_002, limit: 9 })).toBe(0)
      expect(await incidents.removeOld('a', { before: 1_003, limit: 9 })).toBe(1)
      expect((await alerts.get('a', 'm8'))?.incidentId).toBeUndefined()
      expect((await incidentTimeline.list('a', { limit: 9 })).entries).toEqual([])
      expect(await incidents.comments('a', 'in1')).toEqual([])
      expect(await alerts.removeOld('a', { before: 1e6, limit: 9 })).toBe(1)
    })

    test('of another version are not changed', async () => {
      const stale = { ...terms, expectedVersion: 1 }
      const { incidents } = store()
      for (const result of [
        await incidents.update('a', 'in1', { title: 'Other' }, stale), await incidents.addComment('a', 'in1', { id: 'c9', text: 'x' }, stale),
        await incidents.removeAlerts('a', 'in1', ['m8'], stale), await incidents.note('a', 'in1', { action: 'delivery', detail: {} }, stale),
      ]) expect(result).toEqual({ outcome: 'stale', version: 2 })
      expect((await incidents.get('a', 'in1'))?.timelineLength).toBe(3)
    })
  })
}
