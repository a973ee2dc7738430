import { getErrorCode } from '@tripline/common/error-code'
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BlobStore } from './blob-store.ts'

const draftSuffix = '.part'

/** A store in a folder, which is created with the first object. */
export function openFolderStore(root: string): BlobStore {
  const at = (name: string) => join(root, ...name.split('/'))
  return {
    name: root,
    async put(name, bytes) {
      const path = at(name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${randomBytes(4).toString('hex')}${draftSuffix}`
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
      await syncFolder(dirname(path))
    },
    async get(name) {
      return await orUndefined(readFile(at(name)))
    },
    async list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      const entries = await orUndefined(readdir(at(folder), { recursive: true, withFileTypes: true })) ?? []
      const length = join(root, '/').length
      return entries.filter((entry) => entry.isFile() && !entry.name.endsWith(draftSuffix))
        .map(({ parentPath, name }) => join(parentPath, name).slice(length).replaceAll('\\', '/'))
        .filter((name) => name.startsWith(prefix)).sort()
    },
    remove: (name) => rm(at(name), { force: true }),
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function orUndefined<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
