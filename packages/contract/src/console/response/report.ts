import { z } from 'zod'
import { limits } from '../../limits.ts'
import { instantParameter } from '../../page.ts'

const kind = z.enum(['compliance', 'executive', 'soc_weekly', 'assets'])
const format = z.enum(['pdf', 'html', 'csv', 'json'])
const lang = z.enum(['en', 'ko'])
const framework = z.string().min(1).max(32)
const { brandNameLengthMax, logoBytesMax } = limits.reports

/** A report of the history, and how far it has come. */
export const reportSchema = z.strictObject({
  id: z.string(),
  kind,
  /** Of a compliance report. */
  framework: z.string().nullable(),
  title: z.string(),
  format,
  lang,
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  /** The range that it is about; null for all of a compliance report's history. */
  from: z.iso.datetime().nullable(),
  to: z.iso.datetime().nullable(),
  /** The schedule that made it; null where a person asked for it. */
  schedule_id: z.string().nullable(),
  /** A person, or the name of the schedule. */
  requested_by: z.string(),
  requested_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  /** Bytes of the file, and its hash. */
  size: z.int().min(0).nullable(),
  sha256: z.string().nullable(),
  error: z.string().nullable(),
  status_url: z.string(),
  preview_url: z.string().nullable(),
  file_url: z.string().nullable(),
})
export type ReportBody = z.infer<typeof reportSchema>

/** All reports that are kept, newest first. */
export const reportListSchema = z.strictObject({ reports: z.array(reportSchema) })

/**
 * A compliance report names its framework. Without a range an executive report is about the last 30 days, a weekly one about the
 * last 7; one about assets has none.
 */
export const newReportSchema = z.strictObject({
  kind,
  framework: framework.optional(),
  format: format.default('pdf'),
  lang: lang.default('en'),
  from: instantParameter.optional(),
  to: instantParameter.optional(),
})

/** The format of a file; default: that in which it was requested. */
export const reportFileQuerySchema = z.strictObject({ format: format.optional() })

/** A preview is a page, or the report as data, which pages of the console show in their own look. */
export const reportPreviewQuerySchema = z.strictObject({ format: z.enum(['html', 'json']).optional() })

const labelledCount = { label: z.string(), count: z.number() }
const reportBlock = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('figures'), figures: z.array(z.strictObject({ label: z.string(), value: z.string() })) }),
  z.strictObject({ kind: z.literal('bar'), label: z.string(), shares: z.array(z.strictObject({ ...labelledCount, color: z.string() })) }),
  z.strictObject({ kind: z.literal('columns'), label: z.string(), columns: z.array(z.strictObject(labelledCount)) }),
  z.strictObject({
    kind: z.literal('table'),
    columns: z.array(z.strictObject({ title: z.string(), share: z.number() })),
    rows: z.array(z.array(z.string())),
  }),
])

/** A report as data: its sections, and the blocks of each in order. */
export const reportContentSchema = z.strictObject({
  language: lang,
  title: z.string(),
  /** Lines below the title: whose report it is, and of when. */
  subtitle: z.array(z.string()),
  at: z.iso.datetime(),
  /** What stood at the head of the tenant's reports when it was made. */
  brand: z.strictObject({ name: z.string() }).optional(),
  sections: z.array(z.strictObject({ title: z.string(), blocks: z.array(reportBlock) })),
})
export type ReportContentBody = z.infer<typeof reportContentSchema>

/** What stands at the head of the tenant's reports: a name, and a logo as PNG in base64. */
export const brandingSchema = z.strictObject({
  name: z.string(),
  logo: z.strictObject({ png: z.base64(), width: z.int().min(1), height: z.int().min(1) }).nullable(),
})
export type BrandingBody = z.infer<typeof brandingSchema>

/** Replaces it; a logo that is left out is kept, null removes it. */
export const brandingChangeSchema = z.strictObject({
  name: z.string().trim().max(brandNameLengthMax),
  /** More characters than the bytes that are allowed need, so that the refusal can say how many there are. */
  logo: z.base64().min(1).max(2 * logoBytesMax).nullable().optional(),
})
export type BrandingChangeBody = z.infer<typeof brandingChangeSchema>

/** The newest assessment of a range, printed. */
export const complianceReportQuerySchema = z.strictObject({
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  lang: lang.optional(),
  format: format.optional(),
})
