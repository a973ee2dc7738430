import { openState } from '@tripline/state/open-state'
import { getStateFile } from '@tripline/state/data-dir'
import { openInstallationKeys } from '@tripline/state/installation-keys'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** An event store with small blocks, so that few events make segments. */
export function openSmallStore(dataDir: string) {
  const sizes = { blockRowsMax: 50, logFileBytesMax: 10_000, logFilesMax: 2, cacheBytesMax: 1_000, filterBytesMax: 1_000 }
  return openSegmentEventStore({ disk: nodeFileSystem(join(dataDir, 'events')), elapsedMs: () => 0, sizes })
}

/** Writes a data directory with everything that a server keeps: keys, state, events in segments and log, a bus. */
export async function writeDataDir(dataDir: string, eventCount: number): Promise<void> {
  mkdirSync(join(dataDir, 'events'), { recursive: true })
  const io = { now: () => 1_000, randomBytes: (count: number) => randomBytes(count) }
  const keys = await openInstallationKeys(dataDir, io)
  const state = await openState({ path: getStateFile(dataDir), auditKey: keys.audit })
  await state.close()
  const store = await openSmallStore(dataDir)
  await store.append('acme', Array.from({ length: eventCount }, (_, i) => newEvent(i)))
  await store.close()
  const bus = await openLocalBus({
    disk: nodeFileSystem(join(dataDir, 'bus')), topics: { 'raw-events': { consumers: ['one'], overflow: 'refuse', hasTenantShare: true } },
  })
  await bus.publish('raw-events', 'acme', Array.from({ length: 10 }, (_, i) => Buffer.from(`message ${i}`)))
  await bus.close()
}

/** The event of a number. */
export function newEvent(number: number) {
  return { occurredAt: number, bytes: Buffer.from(JSON.stringify({ number, message: `message ${number} `.repeat(10) })) }
}
