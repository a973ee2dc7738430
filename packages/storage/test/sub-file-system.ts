import type { FileSystem } from '../src/disk/file-system.ts'

/** A folder of a disk as a disk of its own. */
export function openSubFileSystem(disk: FileSystem, folder: string): FileSystem {
  const at = (path: string) => `${folder}/${path}`
  return {
    open: (path, use) => disk.open(at(path), use),
    list: (path) => disk.list(at(path)),
    makeFolder: (path) => disk.makeFolder(at(path)),
    syncFolder: (path) => disk.syncFolder(at(path)),
    remove: (path) => disk.remove(at(path)),
    rename: (from, to) => disk.rename(at(from), at(to)),
  }
}
