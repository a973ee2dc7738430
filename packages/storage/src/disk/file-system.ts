import { getErrorCode } from '@tripline/common/error-code'
import { constants, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * The file system interface of the stores, injected so that tests can simulate failures, torn writes and lost data. Paths
 * are relative with `/` as separator. Written bytes are durable after `sync`, created or removed names after `syncFolder`.
 */
export type FileSystem = {
  /** Opens a file; `write` creates a missing one, `read` throws for it. */
  readonly open: (path: string, use: 'read' | 'write') => Promise<RandomAccessFile>
  /** Lists the names in a folder, sorted; an absent folder is empty. */
  readonly list: (folder: string) => Promise<readonly string[]>
  /** Creates a folder with its parents, durably. */
  readonly makeFolder: (folder: string) => Promise<void>
  readonly syncFolder: (folder: string) => Promise<void>
  /** Removes a file if it exists. */
  readonly remove: (path: string) => Promise<void>
  /** Moves a file, replacing one that is there; safe once both folders are synced. */
  readonly rename: (from: string, to: string) => Promise<void>
}

/** An open file. Its bytes are read and written by position. */
export type RandomAccessFile = {
  readonly size: () => Promise<number>
  /** Returns fewer bytes at the end of the file. */
  readonly read: (position: number, length: number) => Promise<Buffer>
  /** Returns the number of bytes written, which may be fewer than given. */
  readonly write: (bytes: Uint8Array, position: number) => Promise<number>
  readonly truncate: (size: number) => Promise<void>
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Read and write, create if missing, never truncate; `r+` would not create, `a+` would ignore write positions. */
const openFlags = constants.O_RDWR | constants.O_CREAT

/** The file system of the process, below a root folder. */
export function nodeFileSystem(root: string): FileSystem {
  const at = (path: string) => join(root, ...path.split('/'))
  return {
    open: async (path, use) => nodeFile(await open(at(path), use === 'read' ? 'r' : openFlags, 0o600)),
    list: async (folder) => {
      try {
        return (await readdir(at(folder))).sort()
      } catch (error) {
        if (getErrorCode(error) === 'ENOENT') return []
        throw error
      }
    },
    makeFolder: async (folder) => {
      await mkdir(at(folder), { recursive: true, mode: 0o700 })
      // Each folder is an entry of its parent. An existing one may have been created by a process that ended before it
      // synced the parent.
      await syncFolder(dirname(root))
      const steps = folder.split('/')
      for (const count of steps.keys()) await syncFolder(at(steps.slice(0, count).join('/')))
    },
    syncFolder: (folder) => syncFolder(at(folder)),
    remove: (path) => rm(at(path), { force: true }),
    rename: (from, to) => rename(at(from), at(to)),
  }
}

/** Reports the duration of each sync of a file system, in milliseconds. */
export function measureSyncs(disk: FileSystem, elapsedMs: () => number, onSync: (durationMs: number) => void): FileSystem {
  const measure = async (sync: () => Promise<void>): Promise<void> => {
    const begunMs = elapsedMs()
    await sync()
    onSync(elapsedMs() - begunMs)
  }
  return {
    open: async (path, use) => {
      const file = await disk.open(path, use)
      return {
        size: () => file.size(),
        read: (position, length) => file.read(position, length),
        write: (bytes, position) => file.write(bytes, position),
        truncate: (size) => file.truncate(size),
        sync: () => measure(() => file.sync()),
        close: () => file.close(),
      }
    },
    list: (folder) => disk.list(folder),
    makeFolder: (folder) => disk.makeFolder(folder),
    syncFolder: (folder) => measure(() => disk.syncFolder(folder)),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
  }
}

/** Writes all bytes, repeating short writes. */
export async function writeFully(file: RandomAccessFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const taken = await file.write(bytes.subarray(written), position + written)
    if (taken === 0) throw new Error(`the file system accepted none of ${bytes.length - written} bytes`)
    written += taken
  }
}

/**
 * Tests with a temporary file whether that many bytes can be written and synced. Errors other than a lack of space are
 * thrown.
 */
export async function hasFreeSpace(disk: FileSystem, byteCount: number): Promise<boolean> {
  const path = 'room.probe'
  try {
    const file = await disk.open(path, 'write')
    try {
      await writeFully(file, Buffer.alloc(byteCount), 0)
      await file.sync()
    } finally {
      await file.close()
      await disk.remove(path)
    }
    return true
  } catch (error) {
    if (isOutOfSpaceError(error)) return false
    throw error
  }
}

/** Whether an error means a full or read-only file system, which may be temporary, rather than a broken one. */
export function isOutOfSpaceError(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS'].includes(getErrorCode(error) ?? '')
}

/**
 * Whether an error means that the process or the system is short of descriptors or memory, or that a call was interrupted:
 * it says nothing about the disk, and the same call may succeed later.
 */
export function isResourceShortage(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'].includes(getErrorCode(error) ?? '')
}

/** Whether a disk that reported an error may work later: it is full or read-only, or the process is short of resources. */
export function isTransientDiskError(error: unknown): boolean {
  return isOutOfSpaceError(error) || isResourceShortage(error)
}

/** Whether an error means that the bytes of a file cannot be read, now or a moment later. */
export function isUnreadableError(error: unknown): boolean {
  return ['EIO', 'EISDIR', 'EACCES', 'EPERM', 'ENXIO', 'EUCLEAN', 'EBADMSG'].includes(getErrorCode(error) ?? '')
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function nodeFile(handle: FileHandle): RandomAccessFile {
  return {
    size: async () => (await handle.stat()).size,
    read: async (position, length) => {
      const bytes = Buffer.allocUnsafe(length)
      let read = 0
      while (read < length) {
        const { bytesRead } = await handle.read(bytes, read, length - read, position + read)
        if (bytesRead === 0) break
        read += bytesRead
      }
      return bytes.subarray(0, read)
    },
    write: async (bytes, position) => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
    truncate: (size) => handle.truncate(size),
    sync: () => handle.datasync(),
    close: () => handle.close(),
  }
}
