import { getErrorMessage } from '@tripline/common/error-message'
import { isResourceShortage } from '../../disk/file-system.ts'
import type { FileSystem, RandomAccessFile } from '../../disk/file-system.ts'
import { CorruptionError } from '../../log/byte-reader.ts'

/** Reads ranges of files and keeps a bounded number of them open. */
export class FileReader {
  readonly #disk: FileSystem
  readonly #filesMax: number
  readonly #open = new Map<string, OpenFile>()

  constructor(disk: FileSystem, filesMax: number) {
    this.#disk = disk
    this.#filesMax = filesMax
  }

  /** @throws CorruptionError where the bytes cannot be read; the error itself if the process is short of resources. */
  async read(path: string, offset: number, length: number): Promise<Buffer> {
    const open = this.#open.get(path) ?? { file: this.#openFile(path), readCount: 0, isEvicted: false }
    this.#open.delete(path)
    this.#open.set(path, open)
    open.readCount++
    try {
      const bytes = await (await open.file).read(offset, length)
      if (bytes.length < length) throw new CorruptionError(`the file ends ${length - bytes.length} bytes early`)
      return bytes
    } catch (error) {
      if (error instanceof CorruptionError) throw error
      this.evict(path)
      if (isResourceShortage(error)) throw error
      throw new CorruptionError(`the file cannot be read: ${getErrorMessage(error)}`)
    } finally {
      open.readCount--
      if (open.isEvicted) await closeUnused(open)
      if (this.#open.size > this.#filesMax) this.#evictOldest()
    }
  }

  /** Closes a file after the reads under way. */
  evict(path: string): void {
    const open = this.#open.get(path)
    if (open === undefined) return
    this.#open.delete(path)
    open.isEvicted = true
    // An error on closing a file that was only read has no effect; a read would have reported it.
    closeUnused(open).catch(() => {})
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.allSettled(open.map(async ({ file }) => (await file).close()))
  }

  /** Without a free descriptor, gives up those that no read uses. */
  async #openFile(path: string): Promise<RandomAccessFile> {
    try {
      return await this.#disk.open(path, 'read')
    } catch (error) {
      if (!isResourceShortage(error)) throw error
      const unused = [...this.#open].filter(([, { readCount }]) => readCount === 0)
      if (unused.length === 0) throw error
      for (const [unusedPath] of unused) this.#open.delete(unusedPath)
      await Promise.allSettled(unused.map(([, open]) => closeUnused(open)))
      return await this.#disk.open(path, 'read')
    }
  }

  #evictOldest(): void {
    const [oldest] = this.#open.keys()
    if (oldest !== undefined) this.evict(oldest)
  }
}

type OpenFile = { readonly file: Promise<RandomAccessFile>; readCount: number; isEvicted: boolean }

async function closeUnused(open: OpenFile): Promise<void> {
  if (open.readCount === 0) await (await open.file).close()
}
