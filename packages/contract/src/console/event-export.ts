import { z } from 'zod'
import { instantParameter } from '../page.ts'
import { formatParameter } from '../public/export.ts'
import { count, instant, nullable, plain, record, text, verbatim } from '../public/shape.ts'
import type { ValueOf } from '../public/shape.ts'
import { searchEventSchema } from './search.ts'

/** The rows of exported events. */
export const eventRow = record({
  id: text, timestamp: instant, source_type: text, host: text, source_ip: text,
  /** The numeric event code, such as the Windows event id. */
  event_id: nullable(count),
  severity: plain(searchEventSchema.shape.severity), message: text,
  /** The event as received. */
  fields: verbatim,
})
export type ExportedEvent = ValueOf<typeof eventRow>

/** What an export of events selects: a query of the search language, and a range as that of a search. */
export const eventExportQuerySchema = z.strictObject({
  format: formatParameter,
  q: z.string().optional(),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
})
