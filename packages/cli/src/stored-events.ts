import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nodeDisk, onlyTenant, openEmbeddedEvents } from '@tripline/server/events'
import type { EventStore } from '@tripline/server/events'
import { CommandError, errorCode, exitCodes, unreadableError, unwritableError } from './command-error.ts'
import type { Context } from './context.ts'
import type { TimeRange } from './read-range.ts'

/** Options that say where events are stored. */
export const storeOptions = {
  'data-dir': { kind: 'text', value: '<dir>', default: './tripline-data', help: 'The directory where events are stored.' },
  tenant: { kind: 'text', value: '<id>', default: onlyTenant, help: 'Whose events.' },
} as const

/** How a store is opened: for writing it is made where it is not there yet. */
export type StoreUse = { readonly directory: string; readonly creates: boolean }

/**
 * Opens the store of a data directory, calls a function with it, and closes it. No server may have it open.
 *
 * @throws CommandError (66) for a directory that is not there, or that cannot be read; (74) where none can be made.
 */
export async function withStoredEvents<Result>(
  { directory, creates }: StoreUse, context: Context, use: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  const root = resolve(context.cwd, directory)
  if (creates) makeFolder(join(root, 'events'))
  else checkFolder(directory, join(root, 'events'))
  const store = await openStore(directory, join(root, 'events'), context)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** The range of all events of a tenant; an empty one where there are none. */
export async function wholeRange(store: EventStore, tenant: string): Promise<TimeRange> {
  const { oldestAt = 0, newestAt = 0 } = await store.stats(tenant)
  return { from: oldestAt, to: newestAt + 1 }
}

async function openStore(directory: string, folder: string, { now }: Context): Promise<EventStore> {
  try {
    return await openEmbeddedEvents({ disk: nodeDisk(folder), elapsedMs: now })
  } catch (error) {
    throw unreadableError('data directory', directory, error)
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unwritableError(error)
  }
}

function checkFolder(directory: string, folder: string): void {
  try {
    statSync(folder)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw unreadableError('data directory', directory, error)
    throw new CommandError(exitCodes.unreadable, `data directory '${directory}' holds no events; 'tripline ingest' stores some`)
  }
}
