import { z } from 'zod'
import { largeListSchema, listParameters } from '../../list.ts'
import { limits } from '../../limits.ts'
import { instantParameter, listParameter } from '../../page.ts'
import { entryText } from '../enrichment/enrichment.ts'

const type = z.enum(['access', 'rectification', 'erasure', 'restriction', 'portability', 'objection', 'opt_out'])
const law = z.enum(['gdpr', 'ccpa'])
const status = z.enum(['open', 'in_progress', 'completed', 'rejected'])
const note = z.string().max(limits.enrichment.descriptionLengthMax)

/** A request that a person made about their data. */
export const dataSubjectRequestSchema = z.strictObject({
  id: z.string(),
  type,
  law,
  subject_ref: z.string(),
  status,
  note: z.string(),
  received_at: z.iso.datetime(),
  due_at: z.iso.datetime(),
  /** Null while it is open. */
  closed_at: z.iso.datetime().nullable(),
  /** Whether it is open past its due date. */
  overdue: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type DataSubjectRequestBody = z.infer<typeof dataSubjectRequestSchema>

export const dataSubjectRequestListSchema = z.strictObject({ requests: z.array(dataSubjectRequestSchema), ...largeListSchema })

export const dataSubjectRequestQuerySchema = z.strictObject({
  type: listParameter(type).optional(),
  status: listParameter(status).optional(),
  ...listParameters,
})

/** `received_at` is now, and `due_at` what the law says, unless they are stated. */
export const newDataSubjectRequestSchema = z.strictObject({
  type,
  law: law.default('gdpr'),
  subject_ref: entryText.min(1),
  status: status.default('open'),
  note: note.default(''),
  received_at: instantParameter.optional(),
  due_at: instantParameter.optional(),
})

/** Omitted fields are kept. */
export const dataSubjectRequestPatchSchema = z.strictObject({
  type: type.optional(),
  law: law.optional(),
  subject_ref: entryText.min(1).optional(),
  status: status.optional(),
  note: note.optional(),
  received_at: instantParameter.optional(),
  due_at: instantParameter.optional(),
})
