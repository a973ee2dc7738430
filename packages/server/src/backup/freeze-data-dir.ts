import { getErrorCode } from '@tripline/common/error-code'
import { getStateFile } from '@tripline/state/data-dir'
import { openStateSnapshot } from '@tripline/state/snapshot-state'
import { BusFreeze } from '@tripline/storage/bus/local/freeze-bus'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import type { FrozenFile } from '@tripline/storage/log/held-log'
import { StoreFreeze } from '@tripline/storage/events/freeze-store'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from './blob-store.ts'

/** A file of a frozen data directory. */
export type SourceFile = {
  readonly path: string
  readonly size: number
  /** Reads from its beginning to `size`; throws `FileVanishedError` for a file that was removed. */
  readonly read: (position: number, length: number) => Promise<Buffer>
  readonly close: () => Promise<void>
}

/** A data directory at one moment. */
export type FrozenDataDir = {
  /** When its state was read. */
  readonly takenAt: number
  readonly files: readonly SourceFile[]
  readonly close: () => Promise<void>
}

/** A segment that retention removed while it was to be read. */
export class FileVanishedError extends Error {}

/** Filled by all stages behind it: frozen last, so that no offset is given twice after a restore. */
const lastTopics = ['raw-events']
const scratchPrefix = 'backup-scratch-'

/**
 * Freezes a data directory beside a running server, without stopping it: the result is what the disk would hold after a
 * power cut at `takenAt`, plus the events that came until the files were frozen, which are evaluated after a restore.
 *
 * The order is that of recovery: bus and log are held, so that nothing leaves them; then the state, the segments, the log and
 * the bus are frozen, each at least as far as the one before knows of it.
 *
 * @throws MovedOnError where freezing again helps.
 */
export async function freezeDataDir(dataDir: string, now: () => number): Promise<FrozenDataDir> {
  const scratch = await createScratch(dataDir)
  const store = new StoreFreeze(nodeFileSystem(join(dataDir, 'events')))
  const bus = new BusFreeze(nodeFileSystem(join(dataDir, 'bus')))
  const close = async (): Promise<void> => {
    await store.close()
    await bus.close()
    await rm(scratch, { recursive: true, force: true })
  }
  try {
    await bus.hold()
    await store.hold()
    const keys = await openWhole(join(dataDir, 'keys.json'), 'keys.json')
    const state = openStateSnapshot(getStateFile(dataDir))
    const takenAt = now()
    let files: SourceFile[]
    try {
      const { segments, logs } = await store.freeze()
      const messages = await bus.freeze(lastTopics)
      await state.copyTo(join(scratch, 'state.db'))
      files = [
        keys,
        ...segments.map(({ path, size }) => openLater(join(dataDir, 'events', path), `events/${path}`, size)),
        ...logs.map((file) => fromFrozen(file, 'events')),
        ...messages.map((file) => fromFrozen(file, 'bus')),
      ]
    } finally {
      state.close()
    }
    files.push(await openWhole(join(scratch, 'state.db'), 'state.db'))
    return { takenAt, files, close: async () => {
      for (const file of files) await file.close()
      await close()
    } }
  } catch (error) {
    await close()
    throw error
  }
}

/** Makes a folder for the copy of the state; those of processes that were killed are removed. */
async function createScratch(dataDir: string): Promise<string> {
  for (const name of await readdir(dataDir)) {
    const pid = name.startsWith(scratchPrefix) ? Number.parseInt(name.slice(scratchPrefix.length), 10) : Number.NaN
    if (!Number.isNaN(pid) && (pid === process.pid || !isAlive(pid))) await rm(join(dataDir, name), { recursive: true, force: true })
  }
  const path = join(dataDir, `${scratchPrefix}${process.pid}`)
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    throw new BackupError(`the data directory '${dataDir}' cannot be written to: ${String(error)}`, { cause: error })
  })
  return path
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return getErrorCode(error) === 'EPERM'
  }
}

function fromFrozen({ path, size, file }: FrozenFile, folder: string): SourceFile {
  const read: SourceFile['read'] = (position, length) => file.read(position, Math.min(length, size - position))
  return { path: `${folder}/${path}`, size, read, close: async () => {} }
}

async function openWhole(file: string, path: string): Promise<SourceFile> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw new BackupError(`'${file}' cannot be read; without it a backup is of no use`, { cause: error })
  })
  return openLater(file, path, size)
}

/** A file that is opened when it is read: there may be more of them than the process may open. */
function openLater(file: string, path: string, size: number): SourceFile {
  let handle: Awaited<ReturnType<typeof open>> | undefined
  const read: SourceFile['read'] = async (position, length) => {
    handle ??= await open(file, 'r').catch((error: unknown) => {
      throw getErrorCode(error) === 'ENOENT' ? new FileVanishedError(path, { cause: error }) : error
    })
    const buffer = Buffer.alloc(Math.min(length, size - position))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    return buffer.subarray(0, bytesRead)
  }
  const close = async (): Promise<void> => {
    await handle?.close()
    handle = undefined
  }
  return { path, size, read, close }
}
