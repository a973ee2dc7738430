import { getErrorCode } from '@tripline/common/error-code'
import type { FileSystem, RandomAccessFile } from './file-system.ts'

/**
 * A copy-on-write overlay over a file system: writes stay in memory and are lost with it. Read-only commands use it to open
 * stores that would repair or migrate files on open. A write truncates the file behind its end, as logs and segments are
 * written.
 */
export function overlayFileSystem(disk: FileSystem): FileSystem {
  const changes = new Map<string, Change>()
  const removed = new Set<string>()
  /** Where the bytes of renamed files are. */
  const origins = new Map<string, string>()
  const openBelow = async (path: string): Promise<RandomAccessFile | undefined> => {
    const origin = origins.get(path)
    if (origin === undefined && removed.has(path)) return undefined
    return await disk.open(origin ?? path, 'read').catch((error: unknown) => {
      if (getErrorCode(error) === 'ENOENT') return undefined
      throw error
    })
  }
  return {
    open: async (path, use) => {
      const known = changes.get(path)
      if (use === 'read' && known === undefined && !removed.has(path)) return await disk.open(path, 'read')
      if (use === 'read' && known === undefined) throw new Error(`the file '${path}' was removed`)
      const below = await openBelow(path)
      const change = known ?? { kept: await below?.size() ?? 0, added: Buffer.alloc(0) }
      changes.set(path, change)
      return openChangedFile(change, below)
    },
    list: async (folder) => {
      const written = [...changes.keys()].flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []))
      const names = new Set([...await disk.list(folder), ...written.filter((name) => !name.includes('/'))])
      return [...names].filter((name) => changes.has(`${folder}/${name}`) || !removed.has(`${folder}/${name}`)).sort()
    },
    makeFolder: async () => {},
    syncFolder: async () => {},
    remove: async (path) => {
      changes.delete(path)
      origins.delete(path)
      removed.add(path)
    },
    rename: async (from, to) => {
      const below = await openBelow(from)
      const change = changes.get(from) ?? (below && { kept: await below.size(), added: Buffer.alloc(0) })
      await below?.close()
      if (change === undefined) throw new Error(`the file '${from}' does not exist`)
      const origin = origins.get(from) ?? from
      changes.delete(from)
      origins.delete(from)
      removed.add(from)
      changes.set(to, change)
      origins.set(to, origin)
    },
  }
}

/** An overlaid file: the first `kept` bytes of the file below, then the added bytes. */
type Change = { kept: number; added: Buffer }

function openChangedFile(change: Change, below: RandomAccessFile | undefined): RandomAccessFile {
  return {
    size: async () => change.kept + change.added.length,
    read: async (position, length) => {
      const { kept, added } = change
      const keptLength = Math.max(0, Math.min(kept - position, length))
      const addedStart = Math.max(0, position - kept)
      const fromBelow = keptLength === 0 ? Buffer.alloc(0) : await below!.read(position, keptLength)
      return Buffer.concat([fromBelow, added.subarray(addedStart, addedStart + length - keptLength)])
    },
    write: async (bytes, position) => {
      cut(change, position)
      change.added = Buffer.concat([change.added, bytes])
      return bytes.length
    },
    truncate: async (size) => cut(change, size),
    sync: async () => {},
    close: async () => await below?.close(),
  }
}

function cut(change: Change, size: number): void {
  change.kept = Math.min(change.kept, size)
  const added = Buffer.alloc(size - change.kept)
  change.added.copy(added)
  change.added = added
}
