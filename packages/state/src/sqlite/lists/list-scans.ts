import type { Kysely } from 'kysely'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { ListSelection, ScanOptions, TenantList } from '../../ports/list-query.ts'
import { StoreError } from '../../ports/store-error.ts'
import type { OpenReader } from '../query/database.ts'
import type { Tables } from '../rows/tables.ts'
import { readPage, selectAllRows } from './list-page.ts'
import type { SqlList } from './list-page.ts'

/**
 * Reads lists as a whole. A scan is one statement on a connection of its own: SQLite's write-ahead log shows it the database
 * as it was when it began, and nothing that writes waits for it.
 */
export class ListScans {
  readonly #openReader: OpenReader
  /** The connections of running scans. */
  readonly #readers = new Set<Kysely<Tables>>()

  constructor(openReader: OpenReader) {
    this.#openReader = openReader
  }

  /**
   * Scans a selection in chunks of rows. `db` is read where there are no other connections: all rows at once, because they
   * are in memory anyway.
   *
   * @throws StoreError as `readPage`, and TRANSIENT for more scans at once than the limit.
   */
  async* scan<Row extends object, Entry>(
    db: Kysely<Tables>, list: SqlList<Row, Entry>, { tenant, selection, ...options }: ScanRequest,
  ): AsyncGenerator<readonly Entry[]> {
    if (this.#openReader === undefined) {
      yield* chunk(await selectAllRows(db, list, { tenant, ...selection }).execute(), list, options)
      return
    }
    const { scansMax } = limits.state
    if (this.#readers.size >= scansMax) {
      throw new StoreError('TRANSIENT', `${scansMax} lists are being exported, which is the limit; retry when one of them has ended`)
    }
    const reader = this.#openReader()
    this.#readers.add(reader)
    // A consumer that asks for no more chunk must not keep the log from being emptied.
    const closeOnAbort = () => void this.#close(reader)
    options.signal.addEventListener('abort', closeOnAbort)
    try {
      yield* chunk(selectAllRows(reader, list, { tenant, ...selection }).stream(), list, options)
    } finally {
      options.signal.removeEventListener('abort', closeOnAbort)
      await this.#close(reader)
    }
  }

  /** Ends all scans; their consumers get an error. */
  async closeAll(): Promise<void> {
    for (const reader of this.#readers) await this.#close(reader)
  }

  async #close(reader: Kysely<Tables>): Promise<void> {
    if (this.#readers.delete(reader)) await reader.destroy()
  }
}

type ScanRequest = ScanOptions & { readonly tenant: string; readonly selection: ListSelection }

/** Gathers rows to chunks; others run between two of them. */
async function* chunk<Row extends object, Entry>(
  rows: AsyncIterable<Row> | Iterable<Row>, { parse }: SqlList<Row, Entry>,
  { signal, rowsMax = limits.state.scanRowsMax }: ScanOptions,
): AsyncGenerator<readonly Entry[]> {
  signal.throwIfAborted()
  let entries: Entry[] = []
  for await (const row of rows) {
    entries.push(parse(row))
    if (entries.length < rowsMax) continue
    signal.throwIfAborted()
    yield entries
    entries = []
    await othersFirst()
    signal.throwIfAborted()
  }
  signal.throwIfAborted()
  if (entries.length > 0) yield entries
}

/** Reads a list of the database by pages and as a whole. */
export function createTenantList<Row extends object, Entry>(
  db: Kysely<Tables>, scans: ListScans, list: SqlList<Row, Entry>,
): TenantList<Entry> {
  return {
    list: (tenant, query) => readPage(db, list, tenant, query),
    scan: (tenant, selection, options) => scans.scan(db, list, { tenant, selection, ...options }),
  }
}
