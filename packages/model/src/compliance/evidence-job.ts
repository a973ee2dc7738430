import type { ControlChange } from '@tripline/compliance/count-controls'

/** How far a collection of evidence has come. */
export type EvidenceJobStatus = 'queued' | 'running' | 'succeeded' | 'failed'

/** A collection of evidence: it assesses frameworks by what the platform measures. */
export type EvidenceJob = {
  readonly id: string
  readonly status: EvidenceJobStatus
  /** Tokens of frameworks. */
  readonly frameworks: readonly string[]
  /** Ids of controls to count in the result; empty for all. */
  readonly controls: readonly string[]
  /** The range of time that measurements over a period are about. */
  readonly from: number
  readonly to: number
  /** Who asked for it, as the audit trail names people; empty for the daily one. */
  readonly requestedBy: string
  readonly requestedAt: number
  readonly finishedAt: number | undefined
  /** 0 to 100. */
  readonly progress: number
  readonly result: EvidenceResult | undefined
  /** Why it failed; empty otherwise. */
  readonly error: string
}

type EvidenceResult = {
  readonly controlsAssessed: number
  readonly evidenceItems: number
  readonly changed: readonly ControlChange[]
}

/** Whether a job waits or runs. */
export function isUnfinished({ status }: Pick<EvidenceJob, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** What people note about a control. */
export type ControlNote = { readonly control: string; readonly owner: string; readonly note: string; readonly version: number }
