import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { limits } from '../limits.ts'
import type { JobStore, ScheduledJob } from '../ports/job-store.ts'

/** What metrics learn of jobs. */
type JobObserver = {
  /** Called at start with what earlier processes recorded. */
  readonly onKnown: (name: string, lastSuccessAt: number | undefined) => void
  readonly onEnded: (name: string, end: { readonly hasFailed: boolean; readonly at: number }) => void
}

type JobRunnerOptions = {
  readonly store: JobStore
  readonly clock: Pick<Runtime, 'now' | 'elapsedMs'>
  /** Names this process among all that ever open the data directory. */
  readonly owner: string
  readonly jobs: readonly ScheduledJob[]
  readonly observer: JobObserver
  readonly log: Pick<Log, 'error' | 'warn'>
}

type Run = { readonly stopping: AbortController; readonly ended: Promise<void>; leasedUntil: number }

/**
 * Runs jobs by the lease table. Within a process, time is the clock at its start plus that of a monotonic clock, so a clock
 * that jumps makes nothing due; what a wrong clock wrote, the lease table takes back. One job starts with each tick, so those
 * that are due after a downtime do not start together.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #start: { readonly at: number; readonly elapsedMs: number }
  readonly #runs = new Map<string, Run>()
  #ticking: Promise<void> | undefined
  #isStopped = false

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#start = { at: options.clock.now(), elapsedMs: options.clock.elapsedMs() }
  }

  async open(): Promise<void> {
    const known = new Map((await this.#options.store.list()).map(({ name, lastSuccessAt }) => [name, lastSuccessAt]))
    for (const { name } of this.#options.jobs) this.#options.observer.onKnown(name, known.get(name))
  }

  /** Extends the leases of what runs, and starts the first job that is due. Call it every `limits.jobs.tickMs`. */
  async tick(): Promise<void> {
    if (this.#isStopped) return
    this.#ticking ??= this.#tick().finally(() => (this.#ticking = undefined))
    await this.#ticking
  }

  /** Resolves when the job that runs has ended; at once if it does not run. */
  async untilEnded(name: string): Promise<void> {
    await this.#runs.get(name)?.ended
  }

  /** Stops what runs; it is due again at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#ticking
    for (const { stopping } of this.#runs.values()) stopping.abort()
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended))
  }

  async #tick(): Promise<void> {
    try {
      for (const [name, run] of this.#runs) await this.#extend(name, run)
      await this.#startNext()
    } catch (error) {
      // A full disk, or another process that holds the database: the next tick tries again.
      this.#options.log.warn('the lease table of jobs cannot be used; trying again', { error: getErrorMessage(error) })
    }
  }

  async #extend(name: string, run: Run): Promise<void> {
    const { leaseMs } = limits.jobs
    const now = this.#now()
    if (run.leasedUntil - now > leaseMs / 2) return
    const until = now + leaseMs
    run.leasedUntil = until
    if (await this.#options.store.renew(name, { owner: this.#options.owner, until })) return
    this.#options.log.warn('a job is stopped: its lease ran out and another process has taken it', { job: name })
    run.stopping.abort()
  }

  async #startNext(): Promise<void> {
    const { store, jobs, owner } = this.#options
    const { leaseMs } = limits.jobs
    const [at, known] = [this.#now(), new Map((await store.list()).map((job) => [job.name, job]))]
    // What has waited longest is first: a job that is due with every tick must not keep the others from running.
    const dueSince = ({ name, everyMs }: ScheduledJob): number => {
      const dueAt = known.get(name)?.dueAt
      return dueAt === undefined || dueAt > at + everyMs ? 0 : dueAt
    }
    for (const job of jobs.toSorted((a, b) => dueSince(a) - dueSince(b))) {
      if (this.#runs.has(job.name) || at - this.#start.at < job.afterStartMs) continue
      const dueAt = known.get(job.name)?.dueAt
      // Most ticks write nothing; an instant that no interval explains is for the lease table to correct.
      if (dueAt !== undefined && dueAt > at && dueAt <= at + job.everyMs) continue
      const leased = await store.lease(job.name, { owner, at, everyMs: job.everyMs, leaseMs, firstDueAt: job.firstDueAt })
      if (leased === undefined) continue
      const stopping = new AbortController()
      this.#runs.set(job.name, { stopping, ended: this.#run(job, stopping.signal), leasedUntil: at + leaseMs })
      return
    }
  }

  async #run(job: ScheduledJob, signal: AbortSignal): Promise<void> {
    const { store, clock, owner, observer, log } = this.#options
    const { errorLengthMax, retryMs } = limits.jobs
    const { name, everyMs } = job
    let error: string | undefined
    try {
      await job.run(signal)
    } catch (thrown) {
      error = getErrorMessage(thrown)
    }
    try {
      if (signal.aborted) {
        await store.end(name, owner, { outcome: 'stopped' })
        return
      }
      const [at, successAt] = [this.#now(), clock.now()]
      observer.onEnded(name, { hasFailed: error !== undefined, at: successAt })
      if (error !== undefined) log.error(job.failure, { job: name, error })
      await store.end(name, owner, error === undefined
        ? { outcome: 'succeeded', at, everyMs, successAt }
        : { outcome: 'failed', at, everyMs, retryMs, error: error.slice(0, errorLengthMax) })
    } catch (thrown) {
      // Its lease runs out, and it runs again.
      log.error('the end of a job could not be recorded', { job: name, error: getErrorMessage(thrown) })
    } finally {
      this.#runs.delete(name)
    }
  }

  #now(): number {
    return Math.round(this.#start.at + this.#options.clock.elapsedMs() - this.#start.elapsedMs)
  }
}
