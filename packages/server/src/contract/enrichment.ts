import { z } from 'zod'
import { limits } from '../limits.ts'

const { entryListMax, entryTextLengthMax, valueLengthMax } = limits.enrichment

/** A name, a department, an owner; control characters are in none, and would not be seen where it is shown. */
export const entryText = z.string().max(entryTextLengthMax).regex(/^\P{Cc}*$/u, 'must not contain control characters')
/** Names, addresses, tags: each with something in it. */
export const entryList = z.array(entryText.min(1)).max(entryListMax)
/** A value that is brought into its one form. */
export const entryValue = z.string().min(1).max(valueLengthMax).regex(/^\P{Cc}*$/u, 'must not contain control characters')

/** What became of a file that was imported, row by row (enrichment). */
export const importResultSchema = z.strictObject({
  rows: z.int(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
  /** The first rows that did not fit: by the line that they end on, in JSON arrays by the number of the element. */
  errors: z.array(z.strictObject({ line: z.int(), message: z.string() })),
  errors_truncated: z.boolean(),
})
export type ImportResultBody = z.infer<typeof importResultSchema>
