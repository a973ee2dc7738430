import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { StoredReport } from '@tripline/model/report'
import type { TenantId } from '@tripline/model/tenant'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { createHash } from 'node:crypto'
import { limits } from './limits.ts'
import type { ReportPrinter } from './report-printer.ts'
import type { Report } from './report.ts'

type MakerDeps = {
  readonly state: StateStore
  readonly printer: Pick<ReportPrinter, 'print'>
  /** Reads what a report holds; the same state gives the same report. */
  readonly define: (tenant: TenantId, report: StoredReport, signal: AbortSignal) => Promise<Report>
  readonly clock: Pick<Runtime, 'now'>
  readonly log: Pick<Log, 'error' | 'warn'>
}

/** Makes reports one after the other, tenants in turns. What a killed process left is made at the next start. */
export class ReportMaker {
  readonly #deps: MakerDeps
  #busy: Promise<void> = Promise.resolve()
  readonly #waiting = new Set<TenantId>()
  readonly #stop = new AbortController()

  constructor(deps: MakerDeps) {
    this.#deps = deps
  }

  /** A tenant has a report that waits. */
  wake(tenant: TenantId): void {
    if (this.#stop.signal.aborted || this.#waiting.has(tenant)) return
    this.#waiting.add(tenant)
    this.#busy = this.#busy.then(() => this.#serve(tenant))
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

  async untilIdle(): Promise<void> {
    await this.#busy
  }

  /** Ends after the report in hand; the others are made at the next start. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.untilIdle()
  }

  /** Makes the oldest report of a tenant, and then lets other tenants have their turn. It never throws. */
  async #serve(tenant: TenantId): Promise<void> {
    this.#waiting.delete(tenant)
    const { state, log } = this.#deps
    try {
      const [oldest, next] = await state.reports.listUnfinished(tenant)
      if (oldest === undefined || this.#stop.signal.aborted) return
      await this.#make(tenant, oldest)
      if (next !== undefined) this.wake(tenant)
    } catch (error) {
      log.warn('a report waits', { tenant, error: getErrorMessage(error) })
    }
  }

  async #make(tenant: TenantId, begun: StoredReport): Promise<void> {
    const { state, printer, define, clock, log } = this.#deps
    const running: StoredReport = { ...begun, status: 'running' }
    await state.reports.save(tenant, running)
    try {
      const report = await define(tenant, running, this.#stop.signal)
      const file = await printer.print(tenant, report, begun.format)
      const sha256 = createHash('sha256').update(file).digest('hex')
      await state.transaction(async ({ reports }) => {
        // A report that was deleted meanwhile stays deleted.
        if (!await reports.putContent(tenant, begun.id, { definition: JSON.stringify(report), file })) return
        const made = { title: report.title, finishedAt: clock.now(), size: file.length, sha256 }
        await reports.save(tenant, { ...running, status: 'succeeded', ...made })
      })
    } catch (error) {
      if (this.#stop.signal.aborted) return
      const message = getErrorMessage(error)
      log.error('a report could not be made', { tenant, report: begun.id, error: message })
      await state.reports.save(tenant, {
        ...running, status: 'failed', finishedAt: clock.now(), error: message.slice(0, limits.reports.errorLengthMax),
      })
    }
  }
}
