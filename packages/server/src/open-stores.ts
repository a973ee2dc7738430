import { exitCodes } from '@tripline/common/exit-error'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { topics } from '@tripline/detection/pipeline/topics'
import { readStoredAgain } from '@tripline/detection/stages/second-copy'
import { getStateFile } from '@tripline/state/data-dir'
import { openInstallationKeys } from '@tripline/state/installation-keys'
import { openState } from '@tripline/state/open-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Bus } from '@tripline/storage/bus/bus'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { measureSyncs, nodeFileSystem } from '@tripline/storage/disk/file-system'
import type { FileSystem } from '@tripline/storage/disk/file-system'
import type { EventStore } from '@tripline/storage/events/event-store'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { join } from 'node:path'
import { createStateExit } from './config/check-state.ts'
import type { Config } from './config/settings.ts'
import { adoptAlertNotices, legacyTopics } from './delivery/adopt-alert-notices.ts'
import type { ServerMonitor } from './metrics/server/server-monitor.ts'
import type { AppOptions } from './app.ts'
import { exitOnError } from './runtime/exit-on-error.ts'

/** Stores that a program opened itself, in place of those below the data directory. It closes them after the server. */
export type OwnStores = { readonly state?: StateStore; readonly bus?: Bus; readonly events?: EventStore }

export type OpenStores = Pick<AppOptions, 'keys' | 'state' | 'bus' | 'events' | 'turns'>

type StoreDeps = { readonly monitor: ServerMonitor; readonly io: Runtime; readonly log: Log }

/** Opens the stores below the data directory, but for those that a program has; and what closes the opened ones, in order. */
export async function openStores(
  { dataDir }: Config, own: OwnStores, { monitor, io, log }: StoreDeps,
): Promise<{ readonly stores: OpenStores; readonly closeStores: readonly (() => Promise<void>)[] }> {
  const openDisk = (store: string): FileSystem =>
    measureSyncs(nodeFileSystem(join(dataDir, store)), io.elapsedMs, (durationMs) => monitor.synced(store, durationMs))
  const keys = await exitOnError(exitCodes.storage, 'the keys of the installation cannot be read', openInstallationKeys(dataDir, io))
  const state = own.state ?? await openOwnState(dataDir, keys.audit, log)
  const bus = own.bus ?? await openOwnBus(openDisk('bus'), state, log)
  const turns = new FairTurns()
  const events = own.events ?? await exitOnError(exitCodes.storage, 'the events cannot be opened', openSegmentEventStore({
    disk: openDisk('events'),
    elapsedMs: io.elapsedMs,
    takeTurn: (tenant, work) => turns.next(work === 'store' ? `store ${tenant}` : tenant, [tenant]),
    onDamage: ({ kind, tenant, file, offset, eventCount, problem }) => {
      const message = kind === 'lost' ? 'stored events are lost: their bytes are corrupted' : 'corrupted events were repaired'
      log.error(message, { tenant, file: `events/${file}`, offset, events: eventCount, problem })
    },
    onProblem: (problem) => log.error(problem),
    readSecondCopy: readStoredAgain(bus),
  }))
  const closeStores = [
    ...own.bus === undefined ? [() => bus.close()] : [],
    ...own.events === undefined ? [() => events.close()] : [],
    ...own.state === undefined ? [() => state.close()] : [],
  ]
  return { stores: { keys, state, bus, events, turns }, closeStores }
}

async function openOwnState(dataDir: string, auditKey: Uint8Array, log: Log): Promise<StateStore> {
  return await openState({
    path: getStateFile(dataDir),
    auditKey,
    onDamagedRow: (table) => log.error('a row of the state database is corrupted and is not used', { table }),
  }).catch((error: unknown) => {
    throw createStateExit(error, dataDir)
  })
}

/** Opens the bus; what an earlier release left on its topic of alerts becomes domain events. */
async function openOwnBus(disk: FileSystem, state: StateStore, log: Log): Promise<Bus> {
  const isUpgraded = (await exitOnError(exitCodes.storage, 'the bus cannot be opened', disk.list('topics'))).includes('alerts')
  const busTopics = { ...topics, ...(isUpgraded && legacyTopics) }
  const bus = await exitOnError(exitCodes.storage, 'the bus cannot be opened', openLocalBus({ disk, topics: busTopics }))
  const adoptedCount = isUpgraded ? await adoptAlertNotices(bus, state.domainEvents) : 0
  if (adoptedCount > 0) log.info('alerts that waited to be announced are domain events now', { count: adoptedCount })
  return bus
}
