import { expect, test } from 'vitest'
import { forgetOld } from '../src/app/forget-old.ts'
import { createLog } from '../src/log.ts'
import { onlyTenant } from '../src/domain/tenant.ts'
import { openTestServer } from './open-test-server.ts'
import type { TestServer } from './open-test-server.ts'
import { encoded, encodedPowerShell } from './rules.ts'

const dayMs = 86_400_000

type Kept = { readonly events: number; readonly alerts: number; readonly auditFrom: number }

async function keptIn({ app }: TestServer): Promise<Kept> {
  const { eventCount } = await app.events.stats(onlyTenant)
  const { total } = await app.state.alerts.list(onlyTenant, { sort: [], limit: 1 })
  const { firstSeq } = await app.state.audit.verify(onlyTenant)
  return { events: eventCount, alerts: total.count, auditFrom: firstSeq }
}

const settingsOf = (settings: object) => ({ body: settings, headers: { 'content-type': 'application/merge-patch+json' } })

test.for<[title: string, patch: object, days: number, kept: Kept]>([
  ['nothing that is young', {}, 29, { events: 1, alerts: 1, auditFrom: 1 }],
  ['events after a month', {}, 32, { events: 0, alerts: 1, auditFrom: 1 }],
  ['events that are kept for longer', { retention: { events_days: 60 } }, 32, { events: 1, alerts: 1, auditFrom: 1 }],
  ['alerts after their time', { retention: { alerts_days: 10, events_days: 60 } }, 11, { events: 1, alerts: 0, auditFrom: 1 }],
  ['no entry of the trail before the floor', { retention: { audit_days: 365, events_days: 400 } }, 364, { events: 1, alerts: 1, auditFrom: 1 }],
  ['entries of the trail behind it', { retention: { audit_days: 365, events_days: 400 } }, 366, { events: 1, alerts: 1, auditFrom: 3 }],
])('removed is: %s', async ([, patch, days, kept]) => {
  const server = await openTestServer([encodedPowerShell])
  if (Object.keys(patch).length > 0) expect((await server.call('PATCH', '/v1/settings', settingsOf(patch))).status).toBe(200)
  else await server.call('PATCH', '/v1/settings', settingsOf({ timezone: 'Europe/Berlin' }))
  await server.call('PATCH', '/v1/settings', settingsOf({ dedup_minutes: 30 }))
  await server.call('POST', '/ingest/v1/events', { body: JSON.stringify(encoded) })
  expect(await keptIn(server)).toEqual({ events: 1, alerts: 1, auditFrom: 1 })
  server.io.nowMs += days * dayMs
  if (kept.auditFrom === 3) {
    await server.app.state.audit.append(onlyTenant, {
      actor: { type: 'system', id: 'test', email: undefined }, action: 'settings.update', target: { type: 'tenant', id: onlyTenant },
      at: server.io.nowMs, outcome: 'success', ip: undefined, userAgent: undefined, requestId: undefined, diff: undefined,
    })
  }
  await forgetOld(server.app, createLog(server.io))
  expect(await keptIn(server)).toEqual(kept)
})

test('a tenant that is switched off keeps everything', async () => {
  const server = await openTestServer([encodedPowerShell])
  await server.call('POST', '/ingest/v1/events', { body: JSON.stringify(encoded) })
  await server.app.state.tenants.update(onlyTenant, { isActive: false }, { expectedVersion: undefined, at: server.io.nowMs })
  server.io.nowMs += 4_000 * dayMs
  await forgetOld(server.app, createLog(server.io))
  expect(await keptIn(server)).toMatchObject({ events: 1, alerts: 1 })
})
