import { z } from 'zod'
import { limits } from '../limits.ts'
import { time } from './parameters.ts'
import { count, instant, list, named, nullable, optional, plain, record, text, verbatim, flag, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { severities } from './vocabulary.ts'

const { searchLimitMax, searchFieldsMax, fieldNameLengthMax } = limits.lists
/** Events of a page that names no number. */
const sizeDefault = 100

/** A search for events. */
export const publicSearch = record({
  query: { shape: text, missing: { a: '', b: '' } },
  from: optional(time, { a: 'fromTime' }),
  to: optional(time, { a: 'toTime' }),
  size: {
    shape: plain(z.int().min(1).max(searchLimitMax)), naming: { a: 'limit' }, missing: { a: sizeDefault, b: sizeDefault },
  },
  histogram: { shape: flag, missing: { a: true, b: false } },
  cursor: optional(text),
  /** The only fields to return. */
  fields: optional(list(plain(z.string().min(1).max(fieldNameLengthMax)), { lengthMax: searchFieldsMax })),
})

/** An event that a search found. */
const publicEvent = record({
  id: text,
  timestamp: instant,
  /** Product and service of the log source, such as `windows-sysmon`. */
  source: text,
  source_type: text,
  source_ip: text,
  host: text,
  /** The numeric event code, such as the Windows event id. */
  event_id: nullable(plain(z.int())),
  severity: word(severities),
  message: text,
  /** The event as received, or its requested fields. */
  fields: verbatim,
})

/** What a search found. */
export const publicSearchResult = record({
  events: named(list(publicEvent), { b: 'data' }),
  total: count,
  /** `gte` if there may be more events than were counted. */
  total_relation: plain(z.enum(['eq', 'gte'])),
  /** Events over time and by severity; severities without events are omitted. */
  histogram: optional(list(record({ time: instant, count, breakdown: plain(z.record(z.string(), z.int())) }))),
  /** Milliseconds that the search took. */
  query_time: count,
  truncated: flag,
  next_cursor: nullable(text),
})
export type PublicSearchResult = ValueOf<typeof publicSearchResult>
