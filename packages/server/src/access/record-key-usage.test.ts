import type { Log } from '@tripline/common/log'
import { expect, test } from 'vitest'
import { createKeyUsageRecorder } from './record-key-usage.ts'

const nowMs = 1_800_000_000_000
const key = {
  publicId: 'k1234567', tenant: 'acme', name: 'soar', scope: 'read_only', apiProfile: 'auto', resources: [], requestsPerMinute: undefined,
  allowedCidrs: [], hash: new Uint8Array(32), createdBy: 'u-1', createdAt: 0, expiresAt: undefined, revokedAt: undefined,
  lastUsedIp: undefined, version: 1, updatedAt: 0,
} as const

/** Records one use; returns what was stored and what was logged. */
async function record(lastUsedAt: number | undefined, address: string | undefined, fault?: Error): Promise<{ stored: unknown[]; logged: unknown[] }> {
  const stored: unknown[] = []
  const logged: unknown[] = []
  const log: Log = { info: (...line) => logged.push(line), warn: (...line) => logged.push(line), error: (...line) => logged.push(line) }
  const noteUse = async (...use: unknown[]): Promise<void> => {
    if (fault !== undefined) throw fault
    stored.push(use)
  }
  await createKeyUsageRecorder({ apiKeys: { noteUse }, clock: { now: () => nowMs }, log })({ ...key, lastUsedAt }, address)
  return { stored, logged }
}

test.for<[title: string, lastUsedAt: number | undefined, address: string | undefined, stored: unknown[]]>([
  ['the first', undefined, '192.0.2.1', ['acme', 'k1234567', { at: nowMs, ip: '192.0.2.1' }]],
  ['one without an address', undefined, undefined, ['acme', 'k1234567', { at: nowMs, ip: '' }]],
  ['one a minute after the last', nowMs - 60_000, '192.0.2.1', ['acme', 'k1234567', { at: nowMs, ip: '192.0.2.1' }]],
  ['one less than a minute after the last', nowMs - 59_999, '192.0.2.1', []],
])('of uses, %s is recorded or not', async ([, lastUsedAt, address, stored]) => {
  expect(await record(lastUsedAt, address)).toEqual({ stored: stored.length === 0 ? [] : [stored], logged: [] })
})

test('a use that cannot be written is logged and refuses nothing', async () => {
  expect(await record(undefined, '192.0.2.1', new Error('disk full'))).toEqual({
    stored: [], logged: [['the use of an API key could not be recorded', { key: 'k1234567', error: 'disk full' }]],
  })
})
