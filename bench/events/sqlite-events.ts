import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { readEvent } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'
import type { EventFeed, FedEvent } from './event-feed.ts'

/** Fields that are searched have a column; the others are in the text. */
const columns = ['Computer', 'Channel', 'Image', 'CommandLine', 'EventID', 'ScriptBlockText'] as const

/** The events in a table of SQLite, which is indexed by time. */
export class SqliteEvents {
  readonly #database: DatabaseSync
  readonly #path: string
  readonly #feed: EventFeed

  constructor(path: string, feed: EventFeed) {
    this.#path = path
    this.#feed = feed
    this.#database = new DatabaseSync(path)
    const types = columns.map((name) => `"${name}" ${name === 'EventID' ? 'INTEGER' : 'TEXT COLLATE NOCASE'}`)
    this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE events (sequence INTEGER PRIMARY KEY, at INTEGER, text TEXT, ${types.join(', ')});
      CREATE INDEX events_at ON events (at, sequence);`)
  }

  /** Adds batches, each safe on disk before the next. */
  add(batches: Iterable<readonly FedEvent[]>): void {
    const places = ['at', 'text', ...columns].map(() => '?').join(', ')
    const insert = this.#database.prepare(`INSERT INTO events (at, text, ${columns.join(', ')}) VALUES (${places})`)
    for (const batch of batches) {
      this.#database.exec('BEGIN')
      for (const { occurredAt, bytes } of batch) {
        const text = bytes.toString('utf8')
        const { event } = readEvent(text)
        insert.run(occurredAt, text, ...columns.map((name) => valueOf(event, name)))
      }
      this.#database.exec('COMMIT')
    }
  }

  /** The newest events. */
  page(where: string, limit: number): number {
    const { from, to } = this.#feed
    const sql = `SELECT sequence, at, text FROM events WHERE at >= ? AND at < ? AND (${where}) ORDER BY at DESC, sequence DESC LIMIT ?`
    return this.#database.prepare(sql).all(from, to, limit).length
  }

  /** How many there are, counted by parts of the range. */
  histogram(where: string): number {
    const { from, to } = this.#feed
    const sql = `SELECT at / 43200000 AS bucket, count(*) AS count FROM events WHERE at >= ? AND at < ? AND (${where}) GROUP BY bucket`
    return this.#database.prepare(sql).all(from, to).reduce((sum, row) => sum + Number(row['count']), 0)
  }

  get byteCount(): number {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return statSync(this.#path).size
  }

  close(): void {
    this.#database.close()
  }
}

/** A field under its own name or another, as the store finds it. */
function valueOf({ fields, aliases }: NormalizedEvent, name: string): string | number | null {
  const value = [name, ...(aliases.get(name) ?? [])].map((one) => fields[one]).find((one) => one !== undefined)
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
