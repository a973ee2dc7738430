import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openState } from '../src/open-state.ts'
import type { StateOptions } from '../src/open-state.ts'
import type { StateStore } from '../src/ports/state-store.ts'

type MemoryOptions = Omit<StateOptions, 'path' | 'image'>

/** Node 24 does not read one. */
const readsImages = 'deserialize' in DatabaseSync.prototype
let emptyImage: Promise<Uint8Array> | undefined

/** Opens an empty state in memory. The migrations run once in a process, since they take two thirds of the time of opening. */
export async function openMemoryState(options: MemoryOptions): Promise<StateStore> {
  if (!readsImages) return openState({ path: ':memory:', ...options })
  emptyImage ??= makeImage(options, async () => {})
  return openState({ path: ':memory:', image: await emptyImage, ...options })
}

/** Makes a function that opens states in memory, each as one that this fills; it fills but once where it can. */
export function createFilledStates({ auditKey }: MemoryOptions, fill: (state: StateStore) => Promise<void>): () => Promise<StateStore> {
  let image: Promise<Uint8Array> | undefined
  return async () => {
    if (readsImages) return openState({ path: ':memory:', image: await (image ??= makeImage({ auditKey }, fill)), auditKey })
    const state = await openState({ path: ':memory:', auditKey })
    await fill(state)
    return state
  }
}

/** A database of the last schema version that was filled, as the bytes of its file. */
async function makeImage({ auditKey }: MemoryOptions, fill: (state: StateStore) => Promise<void>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-state-image-'))
  const path = join(folder, 'state.db')
  try {
    const state = await openState({ path, auditKey })
    await fill(state)
    await state.close()
    // A database in memory has no write-ahead log.
    const database = new DatabaseSync(path)
    database.exec('pragma journal_mode = delete')
    database.close()
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}
