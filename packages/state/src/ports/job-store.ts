import type { Job, JobEnd, LeaseTerms } from '@tripline/model/job'

/**
 * The lease table of the server's jobs (docs/decisions/0037-durable-jobs.md). Each call is one transaction, so of several
 * processes one gets a lease.
 */
export type JobStore = {
  readonly list: () => Promise<readonly Job[]>
  /** Leases a job that is due; undefined if it is not, or another process holds it. An unknown job is inserted. */
  readonly lease: (name: string, terms: LeaseTerms) => Promise<Job | undefined>
  /** Extends a lease; false if the process does not hold it any more. */
  readonly renew: (name: string, lease: { readonly owner: string; readonly until: number }) => Promise<boolean>
  /** Records the end of a run and gives up the lease; false if the process does not hold it any more. */
  readonly end: (name: string, owner: string, end: JobEnd) => Promise<boolean>
}

/** Work that runs once in each interval, whichever processes come and go. */
export type ScheduledJob = {
  readonly name: string
  readonly everyMs: number
  /** Milliseconds from the start of the process before which it does not run. */
  readonly afterStartMs: number
  /** When a job that never ran is due; default: at once. */
  readonly firstDueAt?: number | undefined
  /** Runs it; it may be run again after a run that did not end. It ends early when the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** The log message for a failed run, which is retried. */
  readonly failure: string
}
