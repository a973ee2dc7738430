import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { AnnounceJob } from '@tripline/model/delivery/job-progress'
import type { StoredReport } from '@tripline/model/report'
import type { TenantId } from '@tripline/model/tenant'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import type { ReportContent } from '@tripline/state/ports/report-store'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { createHash } from 'node:crypto'
import { TenantTurns } from '../runtime/tenant-turns.ts'
import { limits } from './limits.ts'
import type { ReportPrinter } from './report-printer.ts'
import type { Report } from './report.ts'

/**
 * Queues notifications of a report that was made or failed, in the transaction that says so; returns the channels that have
 * one.
 */
export type NotifyOfReport = (stores: Stores, tenant: TenantId, report: StoredReport, at: number) => Promise<readonly string[]>

type MakerDeps = {
  readonly state: StateStore
  readonly printer: Pick<ReportPrinter, 'print'>
  /** Reads what a report holds; the same state gives the same report. */
  readonly define: (tenant: TenantId, report: StoredReport, signal: AbortSignal) => Promise<Report>
  readonly delivery: {
    readonly notify: NotifyOfReport
    readonly wake: (tenant: TenantId, channelId: string) => void
    readonly announce: AnnounceJob
  }
  readonly clock: Pick<Runtime, 'now'>
  readonly log: Pick<Log, 'error' | 'warn'>
}

/** Makes reports one after the other, tenants in turns. What a killed process left is made at the next start. */
export class ReportMaker {
  readonly #deps: MakerDeps
  readonly #turns: TenantTurns

  constructor(deps: MakerDeps) {
    this.#deps = deps
    this.#turns = new TenantTurns({ serve: (tenant) => this.#makeOldest(tenant), failure: 'a report waits', log: deps.log })
  }

  /** A tenant has a report that waits. */
  wake(tenant: TenantId): void {
    this.#turns.wake(tenant)
  }

  /** The job that makes what waits, and removes old reports. */
  createJob(): ScheduledJob {
    const { checkMs, firstMs, keptMs, keptMax, removedMax } = limits.reports
    return {
      name: 'reports', everyMs: checkMs, afterStartMs: firstMs, failure: 'reports could not be made',
      run: async () => {
        const { state: { tenants, reports }, clock } = this.#deps
        for (const { id } of await tenants.list()) {
          await reports.removeOld(id, { before: clock.now() - keptMs, keptMax, limit: removedMax })
          if ((await reports.listUnfinished(id)).length > 0) this.wake(id)
        }
        await this.untilIdle()
      },
    }
  }

  untilIdle(): Promise<void> {
    return this.#turns.untilIdle()
  }

  /** Ends after the report in hand; the others are made at the next start. */
  stop(): Promise<void> {
    return this.#turns.stop()
  }

  /** True where the tenant has a further one. */
  async #makeOldest(tenant: TenantId): Promise<boolean> {
    const [oldest, next] = await this.#deps.state.reports.listUnfinished(tenant)
    if (oldest === undefined) return false
    await this.#make(tenant, oldest)
    return next !== undefined
  }

  async #make(tenant: TenantId, begun: StoredReport): Promise<void> {
    const { state, printer, define, delivery, clock, log } = this.#deps
    const running: StoredReport = { ...begun, status: 'running' }
    await state.reports.save(tenant, running)
    delivery.announce(tenant, { job: 'report', id: begun.id, status: 'running', progress: 0 })
    try {
      const report = await define(tenant, running, this.#turns.signal)
      const file = await printer.print(tenant, report, begun.format)
      const sha256 = createHash('sha256').update(file).digest('hex')
      const content = { definition: JSON.stringify(report), file }
      const made = { title: report.title, finishedAt: clock.now(), size: file.length, sha256 }
      await this.#finish(tenant, { ...running, status: 'succeeded', ...made }, content)
    } catch (error) {
      if (this.#turns.signal.aborted) return
      const message = getErrorMessage(error)
      log.error('a report could not be made', { tenant, report: begun.id, error: message })
      const failed = { finishedAt: clock.now(), error: message.slice(0, limits.reports.errorLengthMax) }
      await this.#finish(tenant, { ...running, status: 'failed', ...failed })
    }
  }

  /** Stores what became of a report, with what is sent of it. A report that was deleted meanwhile stays deleted. */
  async #finish(tenant: TenantId, report: StoredReport, content?: ReportContent): Promise<void> {
    const { state, delivery, clock } = this.#deps
    const channelIds = await state.transaction(async (stores) => {
      if (content !== undefined && !await stores.reports.putContent(tenant, report.id, content)) return []
      return await stores.reports.save(tenant, report) ? await delivery.notify(stores, tenant, report, clock.now()) : []
    })
    for (const channelId of channelIds) delivery.wake(tenant, channelId)
    const end = report.status === 'succeeded' ? { status: 'succeeded', progress: 100 } as const : { status: 'failed', progress: 0 } as const
    delivery.announce(tenant, { job: 'report', id: report.id, ...end })
  }
}
