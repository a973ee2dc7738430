import { groupSlowly } from '@tripline/model/test/group-slowly'
import { addToFacts, noFacts } from '@tripline/model/incidents/incident-facts'
import { runAndKill } from '@tripline/storage/test/run-and-kill'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { openGrouping } from './incident-kill-world.ts'

const killCount = process.env['TRIPLINE_FULL'] === '1' ? 100 : 6

test(`of ${killCount} kills none loses an alert of an incident, or has one join twice`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-incident-kill-'))
  const path = join(folder, 'state.db')
  try {
    const acknowledged: string[] = []
    for (let kill = 0; kill < killCount; kill++) {
      const main = join(import.meta.dirname, 'incident-kill-main.ts')
      acknowledged.push(...await runAndKill(main, [path, String(kill * 1_000_000)], 20 + (37 * kill) % 200))
    }
    const { store, reader, refused, failures } = await openGrouping(path)
    await reader.untilIdle()

    const { entries: alerts } = await store.alerts.list('a', { limit: 1_000_000 })
    const stored = alerts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const kept = new Set(stored.map(({ id }) => id))
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
    const { incidents: expected } = groupSlowly(stored, { ...limits.incidents, windowMs: 14_400_000, roomForNew: limits.incidents.activeMax })

    const { entries: incidents } = await store.incidents.list('a', { limit: 1_000_000 })
    const found = await Promise.all(incidents.map(async ({ id }) => {
      const members = await store.incidents.alerts('a', id, limits.incidents.alertsMax)
      return members.map((alert) => alert.id).sort()
    }))
    expect(found.sort(byFirst)).toEqual(expected.map((ids) => ids.toSorted()).sort(byFirst))
    expect(incidents.length).toBeGreaterThan(1)
    for (const incident of incidents) {
      const members = stored.filter(({ incidentId }) => incidentId === incident.id)
      expect(incident).toMatchObject(addToFacts(noFacts, members))
      const { entries } = await store.incidentTimeline.list('a', {
        where: [{ field: 'incident_id', operator: 'eq', value: incident.id }], order: [{ field: 'number', direction: 'asc' }], limit: 10_000,
      })
      expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1))
      expect(entries.slice(1).map(({ detail }) => String(detail['alert_id'])).sort()).toEqual(members.map(({ id }) => id).sort())
    }
    expect([refused, failures]).toEqual([[], []])
    await reader.close()
    await store.close()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

function byFirst([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a < b ? -1 : 1
}
