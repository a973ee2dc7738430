import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { columns, toEventRow } from './event-database.ts'
import type { EventDatabase } from './event-database.ts'
import type { EventFeed } from './event-feed.ts'

const inRange = 'occurred_at >= ? AND occurred_at < ?'

/** Opens a table of SQLite, which is indexed by time and synced at each commit. */
export function openSqliteEvents(path: string, { from, to }: EventFeed): EventDatabase {
  const database = new DatabaseSync(path)
  const types = columns.map((name) => `"${name}" ${name === 'EventID' ? 'INTEGER' : 'TEXT COLLATE NOCASE'}`)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS events (sequence INTEGER PRIMARY KEY, occurred_at INTEGER, text TEXT, ${types.join(', ')});
    CREATE INDEX IF NOT EXISTS events_time ON events (occurred_at, sequence);`)
  return {
    name: 'SQLite',
    async add(batches) {
      const places = ['occurred_at', 'text', ...columns].map(() => '?').join(', ')
      const insert = database.prepare(`INSERT INTO events (occurred_at, text, ${columns.join(', ')}) VALUES (${places})`)
      for (const batch of batches) {
        database.exec('BEGIN')
        for (const event of batch) {
          const { text, values } = toEventRow(event)
          insert.run(event.occurredAt, text, ...values)
        }
        database.exec('COMMIT')
      }
    },
    async page(where, limit) {
      const sql = `SELECT sequence, occurred_at, text FROM events WHERE ${inRange} AND (${where})
        ORDER BY occurred_at DESC, sequence DESC LIMIT ?`
      return database.prepare(sql).all(from, to, limit).length
    },
    async histogram(where) {
      const sql = `SELECT occurred_at / 43200000 AS bucket, count(*) AS count FROM events
        WHERE ${inRange} AND (${where}) GROUP BY bucket`
      return database.prepare(sql).all(from, to).reduce((sum, row) => sum + Number(row['count']), 0)
    },
    async byteCount() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      return statSync(path).size
    },
    close: () => database.close(),
  }
}
