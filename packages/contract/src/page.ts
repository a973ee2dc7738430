import { z } from 'zod'

/** The position of a page in its list; pages count from 1. */
export const paginationSchema = z.strictObject({ page: z.int(), size: z.int(), total: z.int() })
export type Pagination = z.infer<typeof paginationSchema>

/** Metadata of large lists. */
export const listMetadataSchema = z.strictObject({
  took_ms: z.number(),
  total_estimate: z.int(),
  truncated: z.boolean(),
  query_warnings: z.array(z.string()),
})
export type ListMetadata = z.infer<typeof listMetadataSchema>

/** A comma-separated list: several values of one parameter match any of them. */
export function listParameter<Value>(item: z.ZodType<Value, string>, toPart = (part: string): string => part): z.ZodType<Value[], string> {
  const parts = z.string().transform((text) => text.split(',').map((part) => toPart(part.trim())))
  const { $schema: _dialect, ...items } = z.toJSONSchema(item, { io: 'input' })
  return parts.pipe(z.array(item)).meta({ type: 'array', items })
}

/** `true` or `false`. */
export const flagParameter = z.enum(['true', 'false']).transform((text) => text === 'true').meta({ type: 'boolean' })

/** A positive whole number. */
export const countParameter = z.string()
  .regex(/^0*[1-9]\d{0,8}$/, 'must be a positive whole number').transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: 999_999_999 })

/** An RFC 3339 time, or a date that means its start in UTC, with millisecond precision. */
export const instantParameter = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an RFC 3339 time or a date')
  .transform((text) => Date.parse(text))
