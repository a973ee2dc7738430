import { messageOf } from '../domain/error-message.ts'
import type { Disk, DiskFile } from '../file-system.ts'
import { DamageError } from '../records/byte-reader.ts'

/** Reads parts of files, and holds some of them open. */
export class FileReader {
  readonly #disk: Disk
  readonly #filesMax: number
  readonly #open = new Map<string, OpenFile>()

  constructor(disk: Disk, filesMax: number) {
    this.#disk = disk
    this.#filesMax = filesMax
  }

  /** @throws DamageError where the bytes cannot be had. */
  async read(path: string, offset: number, length: number): Promise<Buffer> {
    const open = this.#open.get(path) ?? { file: this.#disk.open(path, 'read'), readCount: 0, isForgotten: false }
    this.#open.delete(path)
    this.#open.set(path, open)
    open.readCount++
    try {
      const bytes = await (await open.file).read(offset, length)
      if (bytes.length < length) throw new DamageError(`the file ends ${length - bytes.length} bytes early`)
      return bytes
    } catch (error) {
      if (error instanceof DamageError) throw error
      this.forget(path)
      throw new DamageError(`it cannot be read: ${messageOf(error)}`)
    } finally {
      open.readCount--
      if (open.isForgotten) await closeUnused(open)
      if (this.#open.size > this.#filesMax) this.#forgetOldest()
    }
  }

  /** Closes a file, after the reads that are under way. */
  forget(path: string): void {
    const open = this.#open.get(path)
    if (open === undefined) return
    this.#open.delete(path)
    open.isForgotten = true
    // What goes wrong at closing a file that was read only is nobody's concern; a read would have met it.
    closeUnused(open).catch(() => {})
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.allSettled(open.map(async ({ file }) => (await file).close()))
  }

  #forgetOldest(): void {
    const [oldest] = this.#open.keys()
    if (oldest !== undefined) this.forget(oldest)
  }
}

type OpenFile = { readonly file: Promise<DiskFile>; readCount: number; isForgotten: boolean }

async function closeUnused(open: OpenFile): Promise<void> {
  if (open.readCount === 0) await (await open.file).close()
}
