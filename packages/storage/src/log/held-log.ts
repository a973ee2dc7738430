import { getErrorCode } from '@tripline/common/error-code'
import { getRecordFilePath, listRecordFiles } from './record-files.ts'
import type { FileSystem, RandomAccessFile } from '../disk/file-system.ts'

/** The first bytes of a file that only grows, as they are at one moment. It stays readable when the file is removed. */
export type FrozenFile = { readonly path: string; readonly size: number; readonly file: RandomAccessFile }

/** A file that vanished, or a gap between files, while they were frozen: freezing again succeeds. */
export class MovedOnError extends Error {
  constructor(path: string) {
    super(`'${path}' was removed while it was to be read; try again`)
    this.name = 'MovedOnError'
  }
}

/**
 * The files of a log, held open from the first call on: what the writer removes later is still there to read.
 */
export class HeldLog {
  readonly #disk: FileSystem
  readonly #folder: string
  readonly #files = new Map<number, RandomAccessFile>()

  constructor(disk: FileSystem, folder: string) {
    this.#disk = disk
    this.#folder = folder
  }

  /** Opens the files that are there and not held yet. */
  async hold(): Promise<void> {
    for (const number of await listRecordFiles(this.#disk, this.#folder)) {
      if (this.#files.has(number)) continue
      try {
        this.#files.set(number, await this.#disk.open(getRecordFilePath(this.#folder, number), 'read'))
      } catch (error) {
        if (getErrorCode(error) !== 'ENOENT') throw error
      }
    }
  }

  /**
   * Holds new files too, and returns all as long as they are now.
   *
   * @throws MovedOnError where a file came and went between two calls, so that the log has a gap.
   */
  async freeze(): Promise<readonly FrozenFile[]> {
    await this.hold()
    const numbers = [...this.#files.keys()].sort((a, b) => a - b)
    const frozen: FrozenFile[] = []
    // The newest first: a file is followed by the next only when it has its last record.
    for (const number of numbers.toReversed()) {
      const file = this.#files.get(number)!
      frozen.unshift({ path: getRecordFilePath(this.#folder, number), size: await file.size(), file })
    }
    for (const [i, number] of numbers.entries()) {
      if (i > 0 && number !== numbers[i - 1]! + 1) throw new MovedOnError(getRecordFilePath(this.#folder, number - 1))
    }
    return frozen
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await file.close()
    this.#files.clear()
  }
}
