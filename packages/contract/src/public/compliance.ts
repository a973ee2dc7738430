import { z } from 'zod'
import { limits } from '../limits.ts'
import { time } from './parameters.ts'
import { count, flag, instant, list, nullable, number, optional, plain, record, text, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { controlStatuses, evidenceJobStatuses } from './vocabulary.ts'

const method = plain(z.enum(['automatic', 'manual', 'mixed', 'none']))

/** A framework of the list. */
export const publicFramework = record({
  id: text,
  name: text,
  version: text,
  total_controls: count,
  assessable_controls: count,
  score: number,
  assessed_share: number,
  last_assessed_at: nullable(instant),
  verification: plain(z.enum(['attested', 'machine'])),
})
export type PublicFramework = ValueOf<typeof publicFramework>

/** How a framework stands in numbers. */
export const publicCoverage = record({
  framework: text,
  total_controls: count,
  compliant: count,
  partial: count,
  non_compliant: count,
  not_assessed: count,
  lost: count,
  score: number,
  assessed_share: number,
  assessed_at: nullable(instant),
  method,
})
export type PublicCoverage = ValueOf<typeof publicCoverage>

const controlFields = {
  id: text,
  title: text,
  category: text,
  status: word(controlStatuses),
  assessable: flag,
  method: plain(z.enum(['automatic', 'manual', 'none'])),
  evidence_count: count,
  last_evidence_at: nullable(instant),
  reasons: list(text),
  mapped_rules: count,
  owner: text,
  note: text,
} as const

/** A control of a list. */
export const publicControl = record(controlFields)
export type PublicControl = ValueOf<typeof publicControl>

/** A control with its signals and their evidence. */
export const publicControlDetail = record({
  ...controlFields,
  signals: list(record({
    id: text, title: text, unit: text, value: nullable(number), target: number,
    status: plain(z.enum(['pass', 'partial', 'fail', 'no_data'])), reason: nullable(text),
    evidence: list(record({ kind: text, ref: text, at: instant, sha256: text })),
  })),
  monitoring_rules: list(record({ id: text, title: text, techniques: list(text) })),
})
export type PublicControlDetail = ValueOf<typeof publicControlDetail>

const short = plain(z.string().max(32))
const { frameworksMax, controlsMax } = limits.compliance

const languages = { en: { a: 'en', b: 'en' }, ko: { a: 'ko', b: 'ko' } } as const
const formats = {
  pdf: { a: 'pdf', b: 'pdf' }, html: { a: 'html', b: 'html' }, csv: { a: 'csv', b: 'csv' }, json: { a: 'json', b: 'json' },
} as const

/** Which assessment is printed, and how. */
export const complianceReportParameters = {
  from: time, to: time, lang: word<keyof typeof languages>(languages), format: word<keyof typeof formats>(formats),
} as const

/** What to collect. */
export const publicEvidenceRequest = record({
  frameworks: optional(list(short, { lengthMax: frameworksMax })),
  controls: optional(list(short, { lengthMax: controlsMax })),
  from: optional(time),
  to: optional(time),
})

/** A collection of evidence. */
export const publicEvidenceJob = record({
  job_id: text,
  status: word(evidenceJobStatuses),
  frameworks: list(text),
  progress: count,
  requested_at: instant,
  finished_at: nullable(instant),
  status_url: text,
  result: nullable(record({
    controls_assessed: count,
    evidence_items: count,
    changed: list(record({ framework: text, control: text, from: word(controlStatuses), to: word(controlStatuses) })),
  })),
  error: nullable(text),
})
export type PublicEvidenceJob = ValueOf<typeof publicEvidenceJob>
