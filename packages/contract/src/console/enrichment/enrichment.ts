import { z } from 'zod'
import { limits } from '../../limits.ts'

/** Without control characters, in syntax that every regular expression engine reads alike. */
const noControls = new RegExp(String.raw`^[^\x00-\x1f\x7f-\x9f]*$`)

const { entryListMax, entryTextLengthMax, valueLengthMax } = limits.enrichment

/** A name, department or owner; control characters are refused because they would be invisible. */
export const entryText = z.string().max(entryTextLengthMax).regex(noControls, 'must not contain control characters')
/** Names, addresses or tags, none empty. */
export const entryList = z.array(entryText.min(1)).max(entryListMax)
/** A value that will be normalized. */
export const entryValue = z.string().min(1).max(valueLengthMax).regex(noControls, 'must not contain control characters')

/** The result of an import. */
export const importResultSchema = z.strictObject({
  rows: z.int(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
  /** The first invalid rows: by the line they end on, in JSON arrays by element number. */
  errors: z.array(z.strictObject({ line: z.int(), message: z.string() })),
  errors_truncated: z.boolean(),
})
export type ImportResultBody = z.infer<typeof importResultSchema>
