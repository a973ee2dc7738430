import { closeSync, constants, fdatasync, fsyncSync, openSync } from 'node:fs'

/** The write-ahead log of a database, as a file to sync; replaced in tests. */
export type LogFile = { readonly sync: () => Promise<void>; readonly close: () => void }

/** Opens the write-ahead log of a database that is open. The file stays the same for as long as a connection is open. */
export function openLogFile(databasePath: string): LogFile {
  const descriptor = openSync(`${databasePath}-wal`, constants.O_RDWR)
  // A log that was just created must be found after a power cut.
  const folder = openSync(databasePath.replace(/[^/\\]*$/, '.'), 'r')
  try {
    fsyncSync(folder)
  } catch (error) {
    closeSync(descriptor)
    throw error
  } finally {
    closeSync(folder)
  }
  return {
    sync: () => new Promise((resolve, reject) => {
      fdatasync(descriptor, (error) => {
        if (error === null) resolve()
        else reject(error)
      })
    }),
    close: () => closeSync(descriptor),
  }
}

/**
 * Group commit for a database in WAL mode: commits are written without a sync, and one sync of the log in another thread makes
 * all of them durable that were written before it began.
 *
 * After a sync that failed it is unknown what is durable, so the database is not used any more.
 */
export class CommitSync {
  readonly #log: LogFile
  /** The sync that runs, and the one after it, which covers what is written meanwhile. */
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #failure: Error | undefined

  constructor(log: LogFile) {
    this.#log = log
  }

  /** @throws Error after a sync that failed. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Resolves when all commits so far are durable. */
  sync(): Promise<void> {
    if (this.#running === undefined) return (this.#running = this.#syncOnce())
    return (this.#next ??= this.#syncAfter(this.#running))
  }

  /** Closes the log when no sync runs. */
  async close(): Promise<void> {
    await (this.#next ?? this.#running)?.catch(() => {})
    this.#log.close()
  }

  async #syncAfter(running: Promise<void>): Promise<void> {
    await running
    this.#next = undefined
    await (this.#running = this.#syncOnce())
  }

  async #syncOnce(): Promise<void> {
    this.check()
    try {
      await this.#log.sync()
    } catch (error) {
      this.#failure ??= new Error('the log of the state database could not be synced; changes may be lost', { cause: error })
      throw this.#failure
    } finally {
      if (this.#next === undefined) this.#running = undefined
    }
  }
}
