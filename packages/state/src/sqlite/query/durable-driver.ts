import { SqliteDriver } from 'kysely'
import type { DatabaseConnection, SqliteDatabase } from 'kysely'
import type { CommitSync } from './commit-sync.ts'

/** A database whose commits are not durable before a sync. */
export type UnsyncedDatabase = SqliteDatabase & {
  /** Returns whether something was committed since the last call. */
  readonly takeCommitted: () => boolean
}

/**
 * The driver of a single connection. Its user waits until the commits are durable after it has released the connection:
 * neither the event loop nor other statements wait for the disk.
 */
export class DurableSqliteDriver extends SqliteDriver {
  readonly #database: UnsyncedDatabase
  readonly #commits: CommitSync | undefined
  #isHeld = false
  readonly #waiting: (() => void)[] = []

  /** Without `commits` nothing is synced, as for a database in memory. */
  constructor(database: UnsyncedDatabase, commits: CommitSync | undefined) {
    super({ database })
    this.#database = database
    this.#commits = commits
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#commits?.check()
    if (this.#isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isHeld = true
    return await super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    const hasCommitted = this.#database.takeCommitted()
    // The next user takes the connection over, so that no later one comes between.
    const next = this.#waiting.shift()
    if (next === undefined) this.#isHeld = false
    else next()
    if (hasCommitted) await this.#commits?.sync()
  }

  override async destroy(): Promise<void> {
    await this.#commits?.close()
    await super.destroy()
  }
}
