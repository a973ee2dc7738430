import { z } from 'zod'
import { limits } from '../../limits.ts'

const instant = z.iso.datetime()
const count = z.int().min(0)
const { ownerLengthMax, noteLengthMax, fileNameLengthMax, urlLengthMax } = limits.compliance
const status = z.enum(['compliant', 'partial', 'non_compliant', 'not_assessed'])
const localText = z.strictObject({ en: z.string(), ko: z.string() })

const coverageFields = {
  total_controls: count, compliant: count, partial: count, non_compliant: count, not_assessed: count,
  /** Controls whose evidence was lost since an earlier assessment: they count in the divisor of the score. */
  lost: count,
  assessable_controls: count,
  score: z.number(),
  /** Percent of the controls that the score is about. */
  assessed_share: z.number(),
  method: z.enum(['automatic', 'manual', 'mixed', 'none']),
  assessed_at: instant.nullable(),
}

/** A framework in the list. */
const frameworkSchema = z.strictObject({
  id: z.string(), name: z.string(), version: z.string(), verification: z.enum(['attested', 'machine']), ...coverageFields,
})
export type FrameworkBody = z.infer<typeof frameworkSchema>

export const frameworkListSchema = z.strictObject({ frameworks: z.array(frameworkSchema) })

export const complianceCoverageSchema = z.strictObject({ framework: z.string(), ...coverageFields })

const evidence = z.strictObject({ kind: z.string(), ref: z.string(), at: instant, sha256: z.string() })

const signal = z.strictObject({
  id: z.string(), title: localText, unit: z.string(), unit_text: localText, value: z.number().nullable(), target: z.number(),
  status: z.enum(['pass', 'partial', 'fail', 'no_data']), reason: z.string().nullable(), reason_text: localText.nullable(),
  evidence: z.array(evidence),
})

const proof = z.union([
  z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(urlLengthMax) }),
  z.strictObject({ file: z.string().trim().min(1).max(fileNameLengthMax), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
])

const attestationFields = {
  status: z.enum(['compliant', 'partial', 'non_compliant']),
  /** At most 365 days ahead. */
  expires_at: instant,
  note: z.string().trim().max(noteLengthMax),
  /** Where the proof is: a URL, or the name and SHA-256 of a file that is kept elsewhere. */
  proof,
}

/** The statement of a person about a control. */
export const attestationSchema = z.strictObject({ ...attestationFields, by: z.string(), at: instant })

export const newAttestationSchema = z.strictObject({ ...attestationFields, note: attestationFields.note.default('') })

const controlFields = {
  id: z.string(), title: localText, category: localText, status, assessable: z.boolean(),
  method: z.enum(['automatic', 'manual', 'none']), evidence_count: count, last_evidence_at: instant.nullable(),
  /** Why it stands as it does, one sentence for each signal that does not pass. */
  reasons: z.array(z.string()),
  /** The same in each language. */
  reason_texts: z.array(localText),
  /** Running rules that watch what the control is about; they turn nothing green. */
  mapped_rules: count,
  owner: z.string(), note: z.string(),
  /** Since when its evidence is lost. */
  lost_since: instant.nullable(),
}

export const controlListSchema = z.strictObject({
  framework: z.string(), assessed_at: instant.nullable(), controls: z.array(z.strictObject(controlFields)),
})
export type ControlListBody = z.infer<typeof controlListSchema>

/** A control with its signals and evidence. */
export const controlSchema = z.strictObject({
  ...controlFields, framework: z.string(), signals: z.array(signal), attestation: attestationSchema.nullable(),
  /** The first running rules with a technique that is linked with the control: monitoring evidence, no proof. */
  monitoring_rules: z.array(z.strictObject({ id: z.string(), title: z.string(), techniques: z.array(z.string()) })),
})
export type ControlBody = z.infer<typeof controlSchema>

export const controlPatchSchema = z.strictObject({
  owner: z.string().trim().max(ownerLengthMax), note: z.string().trim().max(noteLengthMax),
}).partial().refine((patch) => Object.keys(patch).length > 0, 'must contain at least one change')

const frameworksMax = limits.compliance.frameworksMax
const controlsMax = limits.compliance.controlsMax

export const evidenceRequestSchema = z.strictObject({
  /** All frameworks if empty or absent. */
  frameworks: z.array(z.string().max(32)).max(frameworksMax),
  controls: z.array(z.string().max(32)).max(controlsMax),
  from: instant, to: instant,
}).partial()

/** A collection of evidence. */
export const evidenceJobSchema = z.strictObject({
  job_id: z.string(), status: z.enum(['queued', 'running', 'succeeded', 'failed']), frameworks: z.array(z.string()),
  progress: z.int().min(0).max(100), requested_by: z.string().nullable(), requested_at: instant, finished_at: instant.nullable(),
  status_url: z.string(),
  result: z.strictObject({
    controls_assessed: count, evidence_items: count,
    changed: z.array(z.strictObject({ framework: z.string(), control: z.string(), from: status, to: status })),
  }).nullable(),
  error: z.string().nullable(),
})
export type EvidenceJobBody = z.infer<typeof evidenceJobSchema>
