import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  DataDirInUseError, lockDataDir, nodeFileSystem, onlyTenant, openSegmentEventStore, overlayFileSystem,
} from '@tripline/server/events'
import type { FileSystem, EventStore } from '@tripline/server/events'
import { CommandError, getErrorCode, exitCodes, unreadableError, unwritableError } from './command-error.ts'
import type { Context } from './context.ts'
import type { TimeRange } from './read-range.ts'

/** Options that say where events are stored. */
export const storeOptions = {
  'data-dir': { kind: 'text', value: '<dir>', default: './tripline-data', help: 'The directory where events are stored.' },
  tenant: { kind: 'text', value: '<id>', default: onlyTenant, help: 'Whose events.' },
} as const

/** How a store is opened: for writing it is made where it is not there yet, for reading nothing of it is changed. */
export type StoreAccess = { readonly directory: string; readonly creates: boolean }

/**
 * Opens the store of a data directory, calls a function with it, and closes it. No server may have it open.
 *
 * @throws CommandError (66) for a directory that is not there, that cannot be read or that another process has; (74) where
 *   none can be made.
 */
export async function withStoredEvents<Result>(
  { directory, creates }: StoreAccess, context: Context, use: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  const root = resolve(context.cwd, directory)
  if (creates) createFolder(join(root, 'events'))
  else checkFolder(directory, join(root, 'events'))
  const held = lockFolder(directory, root)
  try {
    const disk = nodeFileSystem(join(root, 'events'))
    const store = await openStore(directory, creates ? disk : overlayFileSystem(disk), context)
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  } finally {
    held.release()
  }
}

/** The range of all events of a tenant; an empty one where there are none. */
export async function getEventRange(store: EventStore, tenant: string): Promise<TimeRange> {
  const { oldestAt = 0, newestAt = 0 } = await store.stats(tenant)
  return { from: oldestAt, to: newestAt + 1 }
}

function lockFolder(directory: string, root: string): ReturnType<typeof lockDataDir> {
  try {
    return lockDataDir(root)
  } catch (error) {
    throw createUnusableError(directory, error)
  }
}

/** A data directory that cannot be used, or that another process has. */
export function createUnusableError(directory: string, error: unknown): CommandError {
  if (!(error instanceof DataDirInUseError)) return unreadableError('data directory', directory, error)
  return new CommandError(exitCodes.unreadable, `data directory '${directory}' is in use: ${error.message}`, { cause: error })
}

async function openStore(directory: string, disk: FileSystem, { now }: Context): Promise<EventStore> {
  try {
    return await openSegmentEventStore({ disk, elapsedMs: now })
  } catch (error) {
    throw unreadableError('data directory', directory, error)
  }
}

function createFolder(folder: string): void {
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
    if (getErrorCode(error) !== 'ENOENT') throw unreadableError('data directory', directory, error)
    throw new CommandError(exitCodes.unreadable, `data directory '${directory}' holds no events; 'tripline ingest' stores some`)
  }
}
