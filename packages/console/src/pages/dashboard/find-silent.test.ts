import type { ConnectorBody } from '@tripline/contract/console/sources/connector'
import { expect, test } from 'vitest'
import { findSilent } from './find-silent.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const connector = (id: string, status: ConnectorBody['status'], minutes: number | null, enabled = true) => {
  const at = minutes === null ? null : new Date(now - minutes * 60_000).toISOString()
  return { id, name: id, status, enabled, stats: { last_event_at: at } } as ConnectorBody
}

test('sources that sent and do no more are found, the longest silence first', () => {
  const connectors = [
    connector('sends', 'healthy', 1),
    connector('well and quiet', 'healthy', 23 * 60),
    connector('well and gone', 'healthy', 25 * 60),
    connector('unwell a moment', 'degraded', 14),
    connector('unwell and missed', 'degraded', 16),
    connector('down', 'unhealthy', 120),
    connector('never sent', 'pending', null),
    connector('off', 'disabled', 90 * 60, false),
  ]
  expect(findSilent(connectors, now).map(({ id }) => id)).toEqual(['well and gone', 'down', 'unwell and missed'])
})
