import { constants, mkdir, open, readdir, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * The files that a store keeps, handed in so that tests bring a disk that fails, tears and forgets (C10). Paths
 * are relative, with `/` between their steps. What was written is safe after `sync`, a new or removed name after
 * `syncFolder`, and nothing before.
 */
export type FileSystem = {
  /** Opens a file; for writing it is created where it is absent. Reading one that is absent is an error. */
  readonly open: (path: string, use: 'read' | 'write') => Promise<RandomAccessFile>
  /** Names in a folder, sorted; none where there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>
  /** Creates a folder with its parents, and makes their names safe. */
  readonly makeFolder: (folder: string) => Promise<void>
  readonly syncFolder: (folder: string) => Promise<void>
  /** Removes a file; one that is absent is no error. */
  readonly remove: (path: string) => Promise<void>
}

/** An open file. Its bytes are read and written by position. */
export type RandomAccessFile = {
  readonly size: () => Promise<number>
  /** Gives fewer bytes where the file ends. */
  readonly read: (position: number, length: number) => Promise<Buffer>
  /** Says how many bytes were taken, which may be fewer than were given. */
  readonly write: (bytes: Uint8Array, position: number) => Promise<number>
  readonly truncate: (size: number) => Promise<void>
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The real disk, below a folder. */
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
      // Each folder is a name in the one above it. One that is there already may have been made by a process that
      // ended before its name was safe.
      await syncFolder(dirname(root))
      const steps = folder.split('/')
      for (const count of steps.keys()) await syncFolder(at(steps.slice(0, count).join('/')))
    },
    syncFolder: (folder) => syncFolder(at(folder)),
    remove: (path) => rm(at(path), { force: true }),
  }
}

/** Writes all of the bytes, however few of them are taken at once. */
export async function writeFully(file: RandomAccessFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const taken = await file.write(bytes.subarray(written), position + written)
    if (taken === 0) throw new Error(`the file system accepted none of ${bytes.length - written} bytes`)
    written += taken
  }
}

/** Whether so many bytes can be written and made safe; they are gone afterwards. Any other error than want of room is thrown. */
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

/** Whether an error says that there is no room, or no leave to write, which may pass, rather than that the disk is broken. */
export function isOutOfSpaceError(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS'].includes(getErrorCode(error) ?? '')
}

/** The `code` of an error of Node, such as `ENOENT`. */
export function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Read and write, created where absent, never cut; `r+` would not create and `a+` would not write by position. */
const openFlags = constants.O_RDWR | constants.O_CREAT

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
