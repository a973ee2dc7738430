import { processRuntime } from '@tripline/common/runtime'
import type { NewAlert } from '@tripline/model/alert'
import type { AuditOccurrence } from '@tripline/model/audit'
import { settingDefaults } from '@tripline/model/tenant-settings'
import { openState } from '@tripline/state/open-state'
import { auditKey, newAlertWith, tenantWith } from '@tripline/state/test/state-samples'
import { OutboxReader } from '../../src/delivery/outbox/outbox-reader.ts'
import { createGroupingConsumer } from '../../src/incidents/group-alerts.ts'
import { setTimeout as wait } from 'node:timers/promises'

/** Opens a state with tenant 'a', and the consumer that groups its alerts. */
export async function openGrouping(path: string) {
  const store = await openState({ path, auditKey })
  await store.tenants.insert(tenantWith({ settings: {} }))
  const refused: AuditOccurrence[] = []
  const failures: string[] = []
  const runtime = processRuntime()
  const consumer = createGroupingConsumer({
    state: store, clock: runtime, randomBytes: runtime.randomBytes, trail: { note: (one) => void refused.push(one) }, settingDefaults,
  })
  const note = (message: string): void => void failures.push(message)
  const sleep = async (lengthMs: number): Promise<void> => await wait(lengthMs)
  const reader = await OutboxReader.open({ state: store, consumers: [consumer], sleep, log: { error: note, warn: note } })
  return { store, reader, refused, failures }
}

/** An alert that its number decides, such that some share a host, some a user, and some nothing. */
export function numberedAlert(number: number): NewAlert {
  const id = `m${String(number).padStart(9, '0')}`
  const user = number % 5 === 0 ? `u${number % 4}` : ''
  const event = { processName: '', commandLine: '', host: `h${Math.floor(number / 7) % 60}`, user, statedTime: '' }
  const matchedAt = 1_000 + (number % 1_000_000) * 60_000
  return newAlertWith({ id, dedupKey: id, level: number % 3 === 0 ? 'medium' : 'high', event, matchedAt })
}
