import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Clock } from '@tripline/common/runtime'
import type { StoredBacktest } from '@tripline/model/backtest'
import type { AnnounceJob } from '@tripline/model/delivery/job-progress'
import type { TenantId } from '@tripline/model/tenant'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../../../limits.ts'
import { runBacktest } from './backtest.ts'
import type { HuntDeps } from './backtest.ts'
import { printBacktest } from './backtest-view.ts'

type RunnerDeps = Omit<HuntDeps, 'clock'> & {
  readonly state: Pick<StateStore, 'backtests' | 'tenants'>
  /** A pause ends at once where the signal aborts. */
  readonly clock: Clock & { readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void> }
  readonly log: Pick<Log, 'error' | 'warn'>
}

type Run = { readonly stop: AbortController; id: string; share: number; ended: Promise<void> }

const bounds = limits.rules

/**
 * Runs backtests beside requests: of each tenant one after the other, of some tenants at once. What a killed process left runs
 * again after the next start.
 */
export class BacktestRunner {
  readonly #deps: RunnerDeps
  readonly #announce: AnnounceJob
  readonly #waiting = new Set<TenantId>()
  readonly #running = new Map<TenantId, Run>()
  #isStopped = false

  constructor(deps: RunnerDeps, announce: AnnounceJob) {
    this.#deps = deps
    this.#announce = announce
  }

  /** A tenant has a backtest that waits. */
  wake(tenant: TenantId): void {
    if (this.#isStopped) return
    this.#waiting.add(tenant)
    this.#startNext()
  }

  /** Percent of the range that a backtest has read. */
  getProgress(tenant: TenantId, { id, status }: Pick<StoredBacktest, 'id' | 'status'>): number {
    if (status === 'succeeded') return 100
    const run = this.#running.get(tenant)
    return run?.id === id ? Math.floor(run.share * 100) : 0
  }

  /** Stops a backtest that runs; one that was removed is not stored again. */
  cancel(tenant: TenantId, id: string): void {
    const run = this.#running.get(tenant)
    if (run?.id === id) run.stop.abort()
    this.#announce(tenant, { job: 'backtest', id, status: 'removed', progress: 0 })
  }

  /** The job that runs what waits, and removes old backtests. */
  createJob(): ScheduledJob {
    const { backtestCheckMs, backtestFirstMs, backtestsKeptMs, backtestsKeptMax, backtestsRemovedMax } = bounds
    return {
      name: 'backtests', everyMs: backtestCheckMs, afterStartMs: backtestFirstMs, failure: 'backtests could not be run',
      run: async () => {
        const { state: { tenants, backtests }, clock } = this.#deps
        const before = clock.now() - backtestsKeptMs
        for (const { id } of await tenants.list()) {
          await backtests.removeOld(id, { before, keptMax: backtestsKeptMax, limit: backtestsRemovedMax })
          if ((await backtests.listUnfinished(id)).length > 0) this.wake(id)
        }
      },
    }
  }

  async untilIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** Stops what runs; it runs again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#waiting.clear()
    for (const { stop } of this.#running.values()) stop.abort()
    await this.untilIdle()
  }

  #startNext(): void {
    for (const tenant of this.#waiting) {
      if (this.#running.size >= bounds.backtestTenantsAtOnceMax) return
      if (this.#running.has(tenant)) continue
      this.#waiting.delete(tenant)
      const run: Run = { stop: new AbortController(), id: '', share: 0, ended: Promise.resolve() }
      this.#running.set(tenant, run)
      run.ended = this.#runOldest(tenant, run).then(() => {
        this.#running.delete(tenant)
        this.#startNext()
      })
    }
  }

  /** It never throws: what failed is tried again by the job. */
  async #runOldest(tenant: TenantId, run: Run): Promise<void> {
    const { state: { backtests }, log } = this.#deps
    try {
      const [oldest, next] = await backtests.listUnfinished(tenant)
      if (oldest === undefined || this.#isStopped) return
      if (next !== undefined) this.#waiting.add(tenant)
      run.id = oldest.id
      const running: StoredBacktest = { ...oldest, status: 'running' }
      if (!await backtests.save(tenant, running)) return
      this.#announce(tenant, { job: 'backtest', id: run.id, status: 'running', progress: 0 })
      const ended = await this.#run(tenant, running, run)
      if (ended !== undefined && await backtests.save(tenant, ended)) this.#announceEnd(tenant, ended)
    } catch (error) {
      log.warn('a backtest waits', { tenant, error: getErrorMessage(error) })
    }
  }

  /** Returns what became of a backtest; undefined for one that was stopped. */
  async #run(tenant: TenantId, backtest: StoredBacktest, run: Run): Promise<StoredBacktest | undefined> {
    const { clock, log } = this.#deps
    const { signal } = run.stop
    const { ruleIds, definition, exceptions, from, to, isCompared } = backtest
    const wanted = { ruleIds, definition: definition === '' ? undefined : definition, exceptions, from, to, isCompared }
    try {
      const result = await runBacktest(this.#deps, tenant, wanted, {
        isChecked: true, budgetMs: bounds.backtestJobMs, signal, onProgress: this.#createPause(tenant, run),
      })
      if (signal.aborted) return undefined
      return { ...backtest, status: 'succeeded', finishedAt: clock.now(), result: JSON.stringify(printBacktest(ruleIds, result)) }
    } catch (error) {
      if (signal.aborted) return undefined
      const message = getErrorMessage(error)
      log.error('a backtest failed', { tenant, backtest: backtest.id, error: message })
      return { ...backtest, status: 'failed', finishedAt: clock.now(), error: message.slice(0, bounds.backtestErrorLengthMax) }
    }
  }

  #announceEnd(tenant: TenantId, { id, status }: StoredBacktest): void {
    const hasSucceeded = status === 'succeeded'
    this.#announce(tenant, {
      job: 'backtest', id, status: hasSucceeded ? 'succeeded' : 'failed', progress: hasSucceeded ? 100 : 0,
    })
  }

  /** Notes how far a run is, tells of each further percent, and waits as long as its batch took. */
  #createPause(tenant: TenantId, run: Run): (share: number) => Promise<void> {
    const { clock } = this.#deps
    let resumedMs = clock.elapsedMs()
    return async (share) => {
      const before = Math.floor(run.share * 100)
      run.share = share
      const progress = Math.floor(share * 100)
      if (progress > before) this.#announce(tenant, { job: 'backtest', id: run.id, status: 'running', progress })
      await clock.sleep(Math.min(bounds.backtestPauseMaxMs, clock.elapsedMs() - resumedMs), run.stop.signal)
      resumedMs = clock.elapsedMs()
    }
  }
}
