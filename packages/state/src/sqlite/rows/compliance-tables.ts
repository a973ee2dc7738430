import type { Attestation } from '@tripline/compliance/assess'
import type { RequestLaw, RequestStatus, RequestType } from '@tripline/model/compliance/data-subject-request'
import type { Erasure } from '@tripline/model/compliance/erasure'
import type { EvidenceJobStatus } from '@tripline/model/compliance/evidence-job'
import type { Flag } from '../query/dialect.ts'
import type { ReportBrandingRow, ReportContentRow, ReportRow, ReportScheduleRow } from './report-tables.ts'

/** The tables of compliance, part of `Tables`. */
export type ComplianceTables = {
  readonly evidenceJobs: EvidenceJobRow
  readonly complianceAssessments: ComplianceAssessmentRow
  readonly attestations: AttestationRow
  readonly controlNotes: ControlNoteRow
  readonly dataSubjectRequests: DataSubjectRequestRow
  readonly erasures: ErasureRow
  readonly reports: ReportRow
  readonly reportContents: ReportContentRow
  readonly reportSchedules: ReportScheduleRow
  readonly reportBranding: ReportBrandingRow
}

export type DataSubjectRequestRow = {
  readonly tenantId: string
  readonly id: string
  readonly type: RequestType
  readonly law: RequestLaw
  readonly subjectRef: string
  readonly status: RequestStatus
  readonly note: string
  readonly receivedAt: number
  readonly dueAt: number
  /** 0 while it is open. */
  readonly closedAt: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ErasureRow = Omit<Erasure, 'finishedAt' | 'kept'> & {
  readonly tenantId: string
  /** JSON. */
  readonly kept: string
  /** 0 while it is unfinished. */
  readonly finishedAt: number
  readonly isUnfinished: Flag
}

export type EvidenceJobRow = {
  readonly tenantId: string
  readonly id: string
  readonly status: EvidenceJobStatus
  readonly isUnfinished: Flag
  /** JSON, as the controls. */
  readonly frameworks: string
  readonly controls: string
  readonly fromAt: number
  readonly toAt: number
  readonly requestedBy: string
  readonly requestedAt: number
  /** 0 where it has not ended. */
  readonly finishedAt: number
  readonly progress: number
  /** JSON; empty where there is none. */
  readonly result: string
  readonly error: string
}

export type ComplianceAssessmentRow = {
  readonly tenantId: string
  readonly framework: string
  readonly jobId: string
  readonly at: number
  readonly sha256: string
  /** JSON. */
  readonly controls: string
}

export type AttestationRow = {
  readonly tenantId: string
  readonly framework: string
  readonly control: string
  readonly status: Attestation['status']
  readonly attestedBy: string
  readonly at: number
  readonly expiresAt: number
  readonly note: string
  /** JSON. */
  readonly proof: string
}

type ControlNoteRow = {
  readonly tenantId: string
  readonly framework: string
  readonly control: string
  readonly owner: string
  readonly note: string
  readonly version: number
  readonly updatedAt: number
}
