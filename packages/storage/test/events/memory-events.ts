import { compileEventCheck, isObject, readEvent } from '@tripline/engine/evaluate'
import { eventSeverities } from '@tripline/formats/event/event-severity'
import { compareByName, compareByFrequency } from '../../src/events/block/catalog.ts'
import { getDay, getEndOfDay } from '../../src/events/day-partition.ts'
import { fieldTypes, getEventRef } from '../../src/events/event-store.ts'
import type {
  CatalogField, EventQuery, EventRange, EventStore, FieldType, Histogram, StoredEvent,
} from '../../src/events/event-store.ts'
import { checkBatch } from '../../src/events/ingest-rows.ts'
import { HistogramBuilder } from '../../src/events/search/histogram.ts'
import { isBefore, compareNewestFirst } from '../../src/events/search/match-block.ts'
import { getTenantFolder } from '../../src/events/tenant-folder.ts'
import { limits } from '../../src/limits.ts'

/**
 * A reference event store in memory: it keeps a list and evaluates every event. It is slow, has no budgets, and ends
 * with the process.
 */
export function memoryEvents(): EventStore {
  const tenants = new Map<string, { events: StoredEvent[]; nextSequence: number; mark: number | undefined }>()
  const eventsOf = (tenant: string) => tenants.get(tenant)?.events ?? []
  const matching = ({ tenant, from, to, predicate }: EventRange): StoredEvent[] => {
    const inRange = eventsOf(tenant).filter(({ occurredAt }) => from <= occurredAt && occurredAt < to)
    const events = inRange.map(({ bytes }) => readEvent(Buffer.from(bytes).toString('utf8')).event)
    return Array.from(compileEventCheck(predicate)(events), (index) => inRange[index]!).sort(compareNewestFirst)
  }
  const histogramOf = ({ from, to, bucketsWanted, ...range }: EventRange & Partial<Pick<EventQuery, 'bucketsWanted'>>): Histogram => {
    const counts = new HistogramBuilder(from, to, bucketsWanted)
    for (const { occurredAt, severity } of matching({ from, to, ...range })) {
      counts.add(occurredAt, eventSeverities.indexOf(severity))
    }
    return counts.build(true)
  }
  return {
    async append(name, batch, mark) {
      getTenantFolder(name)
      checkBatch(batch)
      const tenant = tenants.get(name) ?? { events: [], nextSequence: 0, mark: undefined }
      tenants.set(name, tenant)
      const firstSequence = tenant.nextSequence
      for (const { occurredAt, severity = 'info', bytes, arrival } of batch) {
        tenant.events.push({ occurredAt, sequence: tenant.nextSequence++, severity, bytes: Buffer.from(bytes), arrival })
      }
      if (mark !== undefined) tenant.mark = Math.max(mark, tenant.mark ?? mark)
      return { firstSequence, count: batch.length }
    },
    async getMark(name) {
      return tenants.get(name)?.mark
    },
    async search({ limit, after, extent, order = 'newest_first', ...range }) {
      const isPage = Number.isInteger(limit) && 0 <= limit && limit <= limits.events.pageEventsMax
      if (!isPage) throw new RangeError(`a page of ${limit} events`)
      const inRange = matching({ ...range, predicate: { kind: 'constant', value: true } })
      const all = order === 'newest_first' ? matching(range) : matching(range).reverse()
      const isBehind = (event: StoredEvent) => after === undefined || (order === 'newest_first' ? isBefore(event, after) : isBefore(after, event))
      const older = all.filter(isBehind)
      const events = older.slice(0, limit)
      const last = events.at(-1)
      return {
        events,
        cursor: older.length > limit && last !== undefined ? { occurredAt: last.occurredAt, sequence: last.sequence } : undefined,
        total: all.length,
        isTotalExact: true,
        scanned: {
          readCount: inRange.length, rangeCount: inRange.length,
          readByteCount: inRange.reduce((sum, { bytes }) => sum + bytes.length, 0),
        },
        isTruncated: false,
        corruptedCount: 0,
        lostCount: 0,
        histogram: extent === 'histogram' ? histogramOf({ ...range }) : undefined,
      }
    },
    async *histogram(query) {
      yield histogramOf(query)
    },
    async get(tenant, sequence) {
      return eventsOf(tenant).find((event) => event.sequence === sequence)
    },
    async find(tenant, { occurredAt, by, number }) {
      return eventsOf(tenant).find((event) => {
        const own = getEventRef(event)
        return own.occurredAt === occurredAt && own.by === by && own.number === number
      })
    },
    async *scan({ after, batchEventsMax, ...range }) {
      const events = matching(range).reverse().filter((event) => after === undefined || isBefore(after, event))
      for (let from = 0; from < events.length; from += batchEventsMax) {
        yield { events: events.slice(from, from + batchEventsMax), corruptedCount: 0 }
      }
    },
    async retain(name, before) {
      const tenant = tenants.get(name)
      if (tenant === undefined) return { droppedDays: 0, droppedEvents: 0 }
      const dropped = tenant.events.filter(({ occurredAt }) => getEndOfDay(getDay(occurredAt)) <= before)
      tenant.events = tenant.events.filter((event) => !dropped.includes(event))
      return { droppedDays: new Set(dropped.map(({ occurredAt }) => getDay(occurredAt))).size, droppedEvents: dropped.length }
    },
    purgeTrash: () => Promise.resolve(0),
    async erase({ tenant: name, predicate, isErased = () => true }) {
      const found = matching({ tenant: name, from: -Infinity, to: Infinity, predicate }).filter(isErased)
      const tenant = tenants.get(name)
      if (tenant !== undefined) tenant.events = tenant.events.filter((event) => !found.includes(event))
      return { eventCount: found.length }
    },
    async fields(tenant) {
      const fields: Fields = new Map()
      for (const { bytes } of eventsOf(tenant)) addFields(readEvent(Buffer.from(bytes).toString('utf8')).event.fields, '', fields)
      const listed = [...fields].sort(compareByName).map(([name, field]): CatalogField => ({
        name,
        eventCount: field.eventCount,
        types: fieldTypes.filter((type) => field.types.has(type)),
        values: [...field.values].sort(compareByFrequency).slice(0, limits.events.listedValuesMax)
          .map(([value, count]) => ({ text: value, count })),
      }))
      return { fields: listed, isCut: false }
    },
    async fieldNames(tenant) {
      const fields: Fields = new Map()
      for (const { bytes } of eventsOf(tenant)) addFields(readEvent(Buffer.from(bytes).toString('utf8')).event.fields, '', fields)
      return [...fields].sort(compareByName).map(([name]) => name)
    },
    async stats(tenant) {
      const times = eventsOf(tenant).map(({ occurredAt }) => occurredAt).sort((a, b) => a - b)
      const dayCount = new Set(times.map(getDay)).size
      return { eventCount: times.length, oldestAt: times[0], newestAt: times.at(-1), storedBytes: 0, dayCount }
    },
    getDamage: () => ({ lostCount: 0, repairedCount: 0, ignoredFilterCount: 0 }),
    async inspect() {},
    async verify() {
      const eventCount = [...tenants.values()].reduce((sum, { events }) => sum + events.length, 0)
      return { eventCount, segmentCount: 0, blockCount: 0, logRecordCount: 0, corruptedCount: 0, firstCorruption: undefined, damagedBlocks: [] }
    },
    async close() {},
  }
}

type Fields = Map<string, { eventCount: number; types: Set<FieldType>; values: Map<string, number> }>

/** Events of tests are shallow. */
function addFields(object: { readonly [key: string]: unknown }, prefix: string, fields: Fields): void {
  for (const [key, value] of Object.entries(object)) {
    const name = prefix + key
    if (isObject(value)) {
      addFields(value, `${name}.`, fields)
      continue
    }
    const field = fields.get(name) ?? { eventCount: 0, types: new Set<FieldType>(), values: new Map<string, number>() }
    fields.set(name, field)
    field.eventCount++
    field.types.add(typeOf(value))
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    field.values.set(text, (field.values.get(text) ?? 0) + 1)
  }
}

function typeOf(value: unknown): FieldType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text'
}
