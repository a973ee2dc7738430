import { statSync } from 'node:fs'
import { columns, toEventRow } from './event-database.ts'
import type { EventDatabase } from './event-database.ts'
import type { EventFeed } from './event-feed.ts'

/**
 * Opens a table of DuckDB, whose rows come ordered by time; undefined where its binary is not installed, which it is
 * not on every platform. Batches are committed one by one, and DuckDB syncs its log at each commit.
 */
export async function openDuckdbEvents(path: string, { from, to }: EventFeed): Promise<EventDatabase | undefined> {
  const api = await import('@duckdb/node-api').catch(() => undefined)
  if (api === undefined) return undefined
  const instance = await api.DuckDBInstance.create(path, { memory_limit: '4GB' })
  const connection = await instance.connect()
  const types = columns.map((name) => `"${name}" ${name === 'EventID' ? 'INTEGER' : 'VARCHAR COLLATE NOCASE'}`)
  await connection.run(`CREATE TABLE IF NOT EXISTS events
    (sequence BIGINT, occurred_at BIGINT, text VARCHAR, ${types.join(', ')})`)
  const inRange = `occurred_at >= ${from} AND occurred_at < ${to}`
  return {
    name: 'DuckDB',
    async add(batches) {
      let sequence = 0
      for (const batch of batches) {
        await connection.run('BEGIN')
        const appender = await connection.createAppender('events')
        for (const event of batch) {
          const { text, values } = toEventRow(event)
          appender.appendBigInt(BigInt(sequence++))
          appender.appendBigInt(BigInt(event.occurredAt))
          appender.appendVarchar(text)
          for (const value of values) {
            if (typeof value === 'string') appender.appendVarchar(value)
            else if (typeof value === 'number') appender.appendInteger(value)
            else appender.appendNull()
          }
          appender.endRow()
        }
        appender.closeSync()
        await connection.run('COMMIT')
      }
    },
    async page(where, limit) {
      const sql = `SELECT sequence, occurred_at, text FROM events WHERE ${inRange} AND (${inDuckdb(where)})
        ORDER BY occurred_at DESC, sequence DESC LIMIT ${limit}`
      return (await connection.runAndReadAll(sql)).getRows().length
    },
    async histogram(where) {
      const sql = `SELECT occurred_at // 43200000 AS bucket, count(*) AS count FROM events
        WHERE ${inRange} AND (${inDuckdb(where)}) GROUP BY bucket`
      return (await connection.runAndReadAll(sql)).getRows().reduce((sum, row) => sum + Number(row[1]), 0)
    },
    async byteCount() {
      await connection.run('CHECKPOINT')
      return statSync(path).size
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Texts are compared without regard to case, as SQLite does by the type of its columns. */
function inDuckdb(where: string): string {
  return where.replaceAll(' LIKE ', ' ILIKE ')
}
