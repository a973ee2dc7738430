import { AppError } from '@tripline/contract/app-error'
import type { ReportFormat } from '@tripline/model/report'
import type { TenantId } from '@tripline/model/tenant'
import { SerialQueue } from '@tripline/common/serial-queue'
import { runInThread } from '../runtime/run-in-thread.ts'
import { limits } from './limits.ts'
import { printReportCsv, printReportHtml, printReportJson } from './print-report.ts'
import type { Report } from './report.ts'

const { printMs, heapMbMax, waitingMax } = limits.reports

/** The media types of the formats. */
export const mediaTypes = {
  pdf: 'application/pdf', html: 'text/html; charset=utf-8', csv: 'text/csv; charset=utf-8', json: 'application/json',
} as const satisfies { readonly [format in ReportFormat]: string }

const textFormats = { html: printReportHtml, csv: printReportCsv, json: printReportJson } as const

/** Prints reports of tenants: texts at once, a PDF in a thread of its own, one after the other, so that requests do not wait for it. */
export class ReportPrinter {
  readonly #queue = new SerialQueue()
  readonly #waiting = new Map<TenantId, number>()

  /** @throws AppError RATE_LIMITED where too many PDFs of the tenant wait. */
  async print(tenant: TenantId, report: Report, format: ReportFormat): Promise<Buffer> {
    if (format !== 'pdf') return Buffer.from(textFormats[format](report), 'utf8')
    const count = this.#waiting.get(tenant) ?? 0
    if (count >= waitingMax) {
      throw new AppError('RATE_LIMITED', `${waitingMax} reports of the tenant are being printed; retry when one is finished`)
    }
    this.#waiting.set(tenant, count + 1)
    try {
      return await this.#queue.run(() => printInThread(report))
    } finally {
      const left = (this.#waiting.get(tenant) ?? 1) - 1
      if (left === 0) this.#waiting.delete(tenant)
      else this.#waiting.set(tenant, left)
    }
  }
}

/** Prints a PDF in a thread, which ends with it. @throws Error where it takes too much time or memory. */
async function printInThread(report: Report): Promise<Buffer> {
  const worker = new URL('./report-worker.ts', import.meta.url)
  const bytes = await runInThread<Uint8Array>(worker, report, AbortSignal.timeout(printMs), { maxOldGenerationSizeMb: heapMbMax })
  if (bytes === undefined) throw new Error(`the report was not printed within ${printMs / 1_000} s`)
  return Buffer.from(bytes)
}
