import { BackupError } from './blob-store.ts'
import type { BlobStore } from './blob-store.ts'
import { chunkFolder, getChunkName, getManifestName, manifestFolder, parseManifest, printManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { openRepositoryKey } from './repository-key.ts'
import type { BackupSecret, RepositoryKey } from './repository-key.ts'

/**
 * Backups in a store, content-addressed as in restic and borg: chunks by a hash of their content, each stored once, and a
 * manifest for each backup that names them. A backup that was interrupted leaves chunks, which the next one finds.
 */
export class Repository {
  readonly name: string
  readonly #store: BlobStore
  readonly #key: RepositoryKey
  #known: Set<string> | undefined

  private constructor(store: BlobStore, key: RepositoryKey) {
    this.name = store.name
    this.#store = store
    this.#key = key
  }

  static async open(store: BlobStore, secret: BackupSecret, { creates = false } = {}): Promise<Repository> {
    return new Repository(store, await openRepositoryKey(store, secret, { creates }))
  }

  /** Whether a chunk is stored; what is stored is listed at the first call. */
  async hasChunk(hash: string): Promise<boolean> {
    this.#known ??= new Set((await this.#store.list(chunkFolder)).map((name) => name.slice(name.lastIndexOf('/') + 1)))
    return this.#known.has(hash)
  }

  /** Stores a chunk unless it is there; returns its hash, and how many bytes were sent. */
  async addChunk(bytes: Uint8Array): Promise<{ readonly hash: string; readonly sentBytes: number }> {
    const hash = this.#key.hash(bytes)
    if (await this.hasChunk(hash)) return { hash, sentBytes: 0 }
    const name = getChunkName(hash)
    const sealed = this.#key.seal(name, bytes)
    await this.#store.put(name, sealed)
    this.#known?.add(hash)
    return { hash, sentBytes: sealed.length }
  }

  /**
   * Reads a chunk.
   *
   * @throws BackupError for one that is missing or damaged.
   */
  async readChunk(hash: string): Promise<Buffer> {
    const name = getChunkName(hash)
    const sealed = await this.#store.get(name)
    if (sealed === undefined) throw new BackupError(`'${name}' is missing`)
    const bytes = this.#key.open(name, sealed)
    if (bytes === undefined || this.#key.hash(bytes) !== hash) throw new BackupError(`'${name}' is damaged`)
    return bytes
  }

  async addManifest(manifest: Manifest): Promise<void> {
    const name = getManifestName(manifest.id)
    await this.#store.put(name, this.#key.seal(name, printManifest(manifest)))
  }

  /** The ids of all backups, oldest first. */
  async listIds(): Promise<readonly string[]> {
    return (await this.#store.list(manifestFolder)).map((name) => name.slice(manifestFolder.length)).sort()
  }

  /**
   * Reads the manifest of a backup.
   *
   * @throws BackupError for one that does not exist or is damaged.
   */
  async readManifest(id: string): Promise<Manifest> {
    const name = getManifestName(id)
    const sealed = await this.#store.get(name)
    if (sealed === undefined) throw new BackupError(`there is no backup '${id}' in '${this.name}'`)
    const bytes = this.#key.open(name, sealed)
    const manifest = bytes && parseManifest(bytes)
    if (manifest === undefined || manifest.id !== id) throw new BackupError(`'${name}' is damaged`)
    return manifest
  }

  /** Removes a backup; its chunks stay until they are swept. */
  async removeManifest(id: string): Promise<void> {
    await this.#store.remove(getManifestName(id))
  }

  /** Removes the chunks that no backup needs; returns how many. */
  async sweep(): Promise<number> {
    const needed = new Set<string>()
    for (const id of await this.listIds()) {
      for (const { chunks } of (await this.readManifest(id)).files) for (const hash of chunks) needed.add(hash)
    }
    let count = 0
    for (const name of await this.#store.list(chunkFolder)) {
      if (needed.has(name.slice(name.lastIndexOf('/') + 1))) continue
      await this.#store.remove(name)
      count++
    }
    this.#known = undefined
    return count
  }
}
