import type { Attestation, FrameworkAssessment } from '@tripline/compliance/assess'
import type { ControlNote, EvidenceJob } from '@tripline/model/compliance/evidence-job'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'

/** Stores collections of evidence, what they found, and what people add to it. */
export type ComplianceStore = {
  /** Inserts a job unless another one of the tenant waits or runs, which it then returns. */
  readonly begin: (tenant: TenantId, job: EvidenceJob) => Promise<EvidenceJob | 'begun'>
  readonly getJob: (tenant: TenantId, id: string) => Promise<EvidenceJob | undefined>
  /** Writes what became of a job; returns whether it exists. */
  readonly saveJob: (tenant: TenantId, job: EvidenceJob) => Promise<boolean>
  /** Jobs that wait or run, oldest first. */
  readonly unfinishedJobs: (tenant: TenantId) => Promise<readonly EvidenceJob[]>
  /** The newest job, finished or not; with `at`, the newest that is not later. */
  readonly lastJob: (tenant: TenantId, at?: number) => Promise<EvidenceJob | undefined>
  /** Stores the results of one framework; those of the same job are replaced. */
  readonly saveAssessment: (tenant: TenantId, assessment: StoredAssessment) => Promise<void>
  /** The newest results of a framework; with `at`, the newest that are not later. */
  readonly getAssessment: (tenant: TenantId, framework: string, at?: number) => Promise<StoredAssessment | undefined>
  /** The instants at which a framework was assessed, newest first. */
  readonly listAssessments: (tenant: TenantId, framework: string, limit: number) => Promise<readonly AssessmentEntry[]>
  /** The attestations of a framework by control, expired ones included; one a control. */
  readonly listAttestations: (tenant: TenantId, framework: string) => Promise<readonly Attestation[]>
  /** Stores an attestation in place of an earlier one. */
  readonly putAttestation: (tenant: TenantId, framework: string, attestation: Attestation) => Promise<void>
  /** Returns whether there was one. */
  readonly removeAttestation: (tenant: TenantId, framework: string, control: string) => Promise<boolean>
  readonly listNotes: (tenant: TenantId, framework: string) => Promise<readonly ControlNote[]>
  /** Changes what is noted about a control; one without notes has version 0 and empty texts. */
  readonly updateNote: (
    tenant: TenantId, framework: string, change: NoteChange, terms: ChangeTerms,
  ) => Promise<ChangeResult<ControlNote>>
  /** Removes jobs and results before an instant, but the newest of each; at most `limit` of both; returns how many. */
  readonly removeOld: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
}

type NoteChange = { readonly control: string; readonly owner?: string | undefined; readonly note?: string | undefined }

/** The results of a framework, with the job that made them and a hash of what it read. */
export type StoredAssessment = FrameworkAssessment & { readonly jobId: string; readonly sha256: string }

type AssessmentEntry = Pick<StoredAssessment, 'at' | 'jobId' | 'sha256'>
