import type { ListTotal, SortKey } from '@tripline/model/lists/filter'
import { limits } from '../../limits.ts'
import type { ScanOptions, TenantList } from '../../ports/list-query.ts'

type Key = string | number
type KeyReader<Entry> = (entry: Entry, field: string) => Key
type Comparison<Entry> = (one: Entry, other: Entry) => number

/**
 * Makes one list of two by a merge of their orders, so that each is read by its own indexes. Their fields and ids are alike;
 * `readKey` reads what an entry is sorted by, `id` included.
 */
export function mergeLists<Entry>(one: TenantList<Entry>, other: TenantList<Entry>, readKey: KeyReader<Entry>): TenantList<Entry> {
  return {
    async list(tenant, { skip = 0, limit, ...query }) {
      const compare = createComparison(query.order, readKey)
      const pages = [await one.list(tenant, { ...query, limit: skip + limit }), await other.list(tenant, { ...query, limit: skip + limit })]
      const merged = pages.flatMap(({ entries }) => entries).toSorted(compare)
      const entries = merged.slice(skip, skip + limit)
      const last = entries.at(-1)
      const hasMore = merged.length > skip + limit || pages.some(({ next }) => next !== undefined)
      const next = hasMore && last !== undefined ? listKeys(query.order).map(({ field }) => readKey(last, field)) : undefined
      return { entries, next, total: addTotals(pages.map(({ total }) => total)) }
    },
    async* scan(tenant, selection, options) {
      const compare = createComparison(selection.order, readKey)
      const merged = mergeChunks(one.scan(tenant, selection, options), other.scan(tenant, selection, options), { compare, ...options })
      for await (const entries of merged) {
        for (const part of splitChunk(entries, options.rowsMax)) {
          options.signal.throwIfAborted()
          yield part
        }
      }
    },
  }
}

/** The id comes last, in the direction of the key before it, or newest first, as in each of the lists. */
function listKeys(order: readonly SortKey[] = []): readonly SortKey[] {
  return [...order, { field: 'id', direction: order.at(-1)?.direction ?? 'desc' }]
}

function createComparison<Entry>(order: readonly SortKey[] | undefined, readKey: KeyReader<Entry>): Comparison<Entry> {
  const keys = listKeys(order)
  return (one, other) => {
    for (const { field, direction } of keys) {
      const [a, b] = [readKey(one, field), readKey(other, field)]
      if (a !== b) return (a < b ? -1 : 1) * (direction === 'asc' ? 1 : -1)
    }
    return 0
  }
}

function addTotals(totals: readonly ListTotal[]): ListTotal {
  const { countedMax } = limits.state
  const count = totals.reduce((sum, total) => sum + total.count, 0)
  return { count: Math.min(count, countedMax), isExact: count <= countedMax && totals.every(({ isExact }) => isExact) }
}

/** Yields chunks of both in their common order: as far as neither may yet bring an entry that comes before. */
async function* mergeChunks<Entry>(
  one: AsyncIterable<readonly Entry[]>, other: AsyncIterable<readonly Entry[]>,
  { compare, signal }: Pick<ScanOptions, 'signal'> & { readonly compare: Comparison<Entry> },
): AsyncGenerator<readonly Entry[]> {
  const sources = [one[Symbol.asyncIterator](), other[Symbol.asyncIterator]()] as const
  try {
    let [left, right] = [await readChunk(sources[0]), await readChunk(sources[1])]
    while (left.length > 0 || right.length > 0) {
      const merged: Entry[] = []
      let [i, j] = [0, 0]
      // Ends where one side has to be read further, or is at its end.
      while ((i < left.length || left.length === 0) && (j < right.length || right.length === 0) && (i < left.length || j < right.length)) {
        const [a, b] = [left[i], right[j]]
        if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
          if (a !== undefined) merged.push(a)
          i++
        } else {
          merged.push(b)
          j++
        }
      }
      yield merged
      left = i < left.length ? left.slice(i) : left.length === 0 ? left : await readChunk(sources[0])
      right = j < right.length ? right.slice(j) : right.length === 0 ? right : await readChunk(sources[1])
    }
  } finally {
    // Both end by themselves when the signal aborts.
    if (!signal.aborted) for (const source of sources) await source.return?.()
  }
}

/** A merged chunk is as long as two; consumers may have room for one. */
function* splitChunk<Entry>(entries: readonly Entry[], rowsMax: number = limits.state.scanRowsMax): Generator<readonly Entry[]> {
  for (let at = 0; at < entries.length; at += rowsMax) yield entries.slice(at, at + rowsMax)
}

/** The next chunk; an empty one at the end. */
async function readChunk<Entry>(source: AsyncIterator<readonly Entry[]>): Promise<readonly Entry[]> {
  for (;;) {
    const { value, done } = await source.next() as IteratorResult<readonly Entry[], undefined>
    if (done === true) return []
    if (value.length > 0) return value
  }
}
