/** Work of the server that is due again and again, also over restarts, and what became of it. */
export type Job = {
  readonly name: string
  /** When its next run is due; of a running one, when that was due. */
  readonly dueAt: number
  /** The process that runs it, and until when no other may. */
  readonly lease: { readonly owner: string; readonly until: number } | undefined
  /** Runs since the last that succeeded, those included that a killed process did not finish. */
  readonly attempts: number
  readonly lastSuccessAt: number | undefined
  readonly lastError: string | undefined
}

/** Who asks for a lease and when, and what the job is like. */
export type LeaseTerms = {
  readonly owner: string
  readonly at: number
  readonly everyMs: number
  readonly leaseMs: number
  /** When a job that never ran is due; default: at once. */
  readonly firstDueAt?: number | undefined
}

/** How a run ended. `stopped`: with its process, so it is due as before. */
export type JobEnd =
  | { readonly outcome: 'succeeded'; readonly at: number; readonly everyMs: number; readonly successAt: number }
  | { readonly outcome: 'failed'; readonly at: number; readonly everyMs: number; readonly retryMs: number; readonly error: string }
  | { readonly outcome: 'stopped' }

/** A job that never ran. */
export function newJob(name: string, { at, firstDueAt = at }: Pick<LeaseTerms, 'at' | 'firstDueAt'>): Job {
  return { name, dueAt: firstDueAt, lease: undefined, attempts: 0, lastSuccessAt: undefined, lastError: undefined }
}

/**
 * Leases a job to a process if it is due and no other holds it. However many runs were missed, it is leased once. An instant
 * further ahead than an interval, or a lease, was written by a wrong clock and is taken back to that.
 */
export function leaseJob(job: Job, { owner, at, everyMs, leaseMs }: LeaseTerms): { readonly job: Job; readonly isLeased: boolean } {
  const dueAt = Math.min(job.dueAt, at + everyMs)
  const lease = job.lease && { ...job.lease, until: Math.min(job.lease.until, at + leaseMs) }
  const isFree = lease === undefined || lease.until <= at
  if (dueAt > at || !isFree) return { job: { ...job, dueAt, lease }, isLeased: false }
  return { job: { ...job, dueAt, lease: { owner, until: at + leaseMs }, attempts: job.attempts + 1 }, isLeased: true }
}

/** More would leave the safe integers. */
const doublingsMax = 20

/** The job after a run: due an interval later, or sooner if it failed, with exponential backoff. */
export function endJob(job: Job, end: JobEnd): Job {
  const free = { ...job, lease: undefined }
  if (end.outcome === 'stopped') return { ...free, attempts: job.attempts - 1 }
  const { at, everyMs } = end
  if (end.outcome === 'succeeded') {
    return { ...free, dueAt: at + everyMs, attempts: 0, lastSuccessAt: end.successAt, lastError: undefined }
  }
  const waitMs = Math.min(everyMs, end.retryMs * 2 ** Math.min(job.attempts - 1, doublingsMax))
  return { ...free, dueAt: at + waitMs, lastError: end.error }
}
