import { getErrorCode } from '@tripline/common/error-code'
import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DataDirLock, FileSystem, EventStore } from '@tripline/server/events'
import { unreadableError, unwritableError } from '../framework/command-error.ts'
import type { Context } from '../framework/context.ts'
import { escapeControl } from '../framework/escape-control.ts'
import { readRange } from './read-range.ts'
import type { TimeRange } from './read-range.ts'

/** The location of stored events. */
export const storeOptions = {
  'data-dir': { kind: 'text', value: '<dir>', default: './tripline-data', help: 'The data directory of the events.' },
  tenant: { kind: 'text', value: '<id>', default: 'default', help: 'The tenant.' },
} as const

/** How to open a store: for writing it is created if it does not exist; reading changes nothing. */
type StoreAccess = { readonly directory: string; readonly creates: boolean }

/**
 * Opens the store of a data directory, calls a function with it, and closes it. A server that has it open holds its lock.
 *
 * @throws ExitError (66) for a directory that does not exist, cannot be read or is in use; (74) if it cannot be
 *   created.
 */
export async function withStoredEvents<Result>(
  { directory, creates }: StoreAccess, context: Context, use: (store: EventStore) => Promise<Result>,
): Promise<Result> {
  const root = resolve(context.cwd, directory)
  if (creates) createFolder(join(root, 'events'))
  else checkFolder(directory, join(root, 'events'))
  // Loaded only here: the other commands start faster without the server, and run on a Node that it cannot run on.
  const { lockDataDir, nodeFileSystem, overlayFileSystem } = await import('@tripline/server/events')
  const held = lockFolder(directory, () => lockDataDir(root))
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

type RangeOptions = { readonly tenant: string; readonly from: string | undefined; readonly to: string | undefined }

/**
 * Reads the range of `--from` and `--to`, by default that of all events of the tenant. Where no event lies in it, stderr says
 * where they lie: recordings are often older than the ages that come to mind.
 *
 * @throws ExitError (2) for an invalid time, or a range that ends before it begins.
 */
export async function readStoredRange(store: EventStore, options: RangeOptions, context: Context): Promise<TimeRange> {
  const { oldestAt, newestAt } = await store.stats(options.tenant)
  const whole = { from: oldestAt ?? 0, to: (newestAt ?? 0) + 1 }
  const range = readRange(options, { whole, now: context.wallClock() })
  if (oldestAt === undefined) {
    context.stderr.write(`tripline: the tenant '${escapeControl(options.tenant)}' has no stored events\n`)
  } else if (range.to <= whole.from || range.from >= whole.to) {
    const stored = `${new Date(whole.from).toISOString()} to ${new Date(newestAt!).toISOString()}`
    context.stderr.write(`tripline: no event lies in this range; those stored are of ${stored}\n`)
  }
  return range
}

function lockFolder(directory: string, lock: () => DataDirLock): DataDirLock {
  try {
    return lock()
  } catch (error) {
    throw createUnusableError(directory, error)
  }
}

/** The error for a data directory that cannot be used, or that another process has locked. */
export function createUnusableError(directory: string, error: unknown): ExitError {
  const isInUse = error instanceof Error && error.name === 'DataDirInUseError'
  if (!isInUse) return unreadableError('data directory', directory, error)
  return new ExitError(exitCodes.unreadable, `data directory '${directory}' is in use: ${error.message}`, { cause: error })
}

async function openStore(directory: string, disk: FileSystem, { now }: Context): Promise<EventStore> {
  const { openSegmentEventStore } = await import('@tripline/server/events')
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
    throw new ExitError(exitCodes.unreadable, `data directory '${directory}' holds no events; store some with 'tripline ingest'`)
  }
}
