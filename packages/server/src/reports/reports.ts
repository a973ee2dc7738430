import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import type { ReportFormat, ReportKind, ReportLanguage, StoredReport } from '@tripline/model/report'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { notFound, requireFound } from '@tripline/state/ports/version-conflict'
import { nameActor } from '../audit/name-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { defineComplianceReport } from './define-report.ts'
import type { ComplianceReportRequest } from './define-report.ts'
import { limits } from './limits.ts'
import type { ReportMaker } from './report-maker.ts'
import { mediaTypes } from './report-printer.ts'
import type { ReportPrinter } from './report-printer.ts'
import type { Report } from './report.ts'

/** What reports need of the server. */
export type ReportDeps = {
  readonly state: StateStore
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
  readonly maker: Pick<ReportMaker, 'wake'>
  readonly printer: Pick<ReportPrinter, 'print'>
}

/** What a report is to be about. */
type ReportRequest = {
  readonly kind: ReportKind
  readonly framework?: string | undefined
  readonly format: ReportFormat
  readonly language: ReportLanguage
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** A file that was made of a report, with the hash of what it is made of. */
type ReportFile = { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array; readonly sha256: string }

const kindName = 'report'
const { waitingMax, rangeMs, weekMs, rangeMsMax, keptMax } = limits.reports

/**
 * Begins to make a report, which is kept with its file.
 *
 * @throws AppError INVALID_PARAMETER for a range that is empty, too long or in the future; NOT_FOUND for an unknown framework;
 *   CONFLICT for one that was not assessed; RATE_LIMITED where too many wait.
 */
export async function beginReport(deps: ReportDeps, caller: Principal, request: ReportRequest): Promise<StoredReport> {
  const { state, clock, randomBytes, maker } = deps
  const at = clock.now()
  const range = await checkRequest(deps, caller.tenant, request, at)
  const report = await state.transaction(async (stores) => {
    if ((await stores.reports.listUnfinished(caller.tenant)).length >= waitingMax) {
      throw new AppError('RATE_LIMITED', `${waitingMax} reports are being made; retry when one is finished`)
    }
    const { kind, format, language } = request
    const begun: StoredReport = {
      id: createUuidV7(at, randomBytes), kind, ...range, format, language, status: 'queued', title: '', scheduleId: '',
      requestedBy: await nameActor(stores, caller), requestedAt: at, finishedAt: undefined, size: 0, sha256: '', error: '',
    }
    await stores.reports.insert(caller.tenant, begun)
    const diff = { kind, framework: begun.framework, format, lang: language }
    await recordAudit(stores, caller, { at, action: 'report.create', target: { type: 'report', id: begun.id }, diff })
    return begun
  })
  maker.wake(caller.tenant)
  return report
}

/** All reports that are kept, newest first. */
export async function listReports({ state }: Pick<ReportDeps, 'state'>, tenant: TenantId): Promise<readonly StoredReport[]> {
  return await state.reports.list(tenant, keptMax)
}

/** @throws AppError NOT_FOUND. */
export async function getReport({ state }: Pick<ReportDeps, 'state'>, tenant: TenantId, id: string): Promise<StoredReport> {
  return requireFound(await state.reports.get(tenant, id), kindName)
}

/**
 * Reads the file of a report, or prints the same report in another format; either is recorded.
 *
 * @throws AppError NOT_FOUND; CONFLICT for a report that is not finished.
 */
export async function readReportFile(deps: ReportDeps, caller: Principal, id: string, format?: ReportFormat): Promise<ReportFile> {
  const { state, clock, printer } = deps
  const { tenant } = caller
  const report = await getReport(deps, tenant, id)
  const content = await readContent(deps, tenant, report)
  const chosen = format ?? report.format
  const bytes = chosen === report.format
    ? content.file
    : await printer.print(tenant, JSON.parse(content.definition) as Report, chosen)
  const diff = { format: chosen, sha256: report.sha256 }
  await state.transaction((stores) =>
    recordAudit(stores, caller, { at: clock.now(), action: 'report.download', target: { type: 'report', id }, diff }))
  const subject = report.framework === '' ? report.kind : report.framework
  return { name: nameFile(subject, report.requestedAt, chosen), mediaType: mediaTypes[chosen], bytes, sha256: report.sha256 }
}

/** Prints a report as a page or as data. @throws AppError NOT_FOUND; CONFLICT for a report that is not finished. */
export async function previewReport(
  deps: Pick<ReportDeps, 'state' | 'printer'>, tenant: TenantId, id: string, format: 'html' | 'json',
): Promise<Uint8Array> {
  const content = await readContent(deps, tenant, await getReport(deps, tenant, id))
  return await deps.printer.print(tenant, JSON.parse(content.definition) as Report, format)
}

/** Removes a report with its file. @throws AppError NOT_FOUND. */
export async function removeReport({ state, clock }: ReportDeps, caller: Principal, id: string): Promise<void> {
  await state.transaction(async (stores) => {
    if (!await stores.reports.remove(caller.tenant, id)) throw notFound(kindName)
    await recordAudit(stores, caller, { at: clock.now(), action: 'report.delete', target: { type: 'report', id } })
  })
}

/**
 * Prints the compliance report of a framework without keeping it; it is recorded.
 *
 * @throws AppError as `defineComplianceReport`, and RATE_LIMITED where too many PDFs wait.
 */
export async function printComplianceReport(
  { state, clock, printer }: Pick<ReportDeps, 'state' | 'clock' | 'printer'>, caller: Principal,
  { format, ...request }: ComplianceReportRequest & { readonly format: ReportFormat },
): Promise<ReportFile> {
  const { report, framework, sha256 } = await defineComplianceReport({ state }, caller.tenant, request)
  const bytes = await printer.print(caller.tenant, report, format)
  const diff = { format, lang: request.language, sha256 }
  const target = { type: 'framework', id: framework }
  await state.transaction((stores) => recordAudit(stores, caller, { at: clock.now(), action: 'report.download', target, diff }))
  return { name: nameFile(framework, report.at, format), mediaType: mediaTypes[format], bytes, sha256 }
}

/** The name of a file, such as `iso27001-2026-11-20.pdf`. */
function nameFile(subject: string, at: number, format: ReportFormat): string {
  return `${subject}-${new Date(at).toISOString().slice(0, 10)}.${format}`
}

async function readContent({ state }: Pick<ReportDeps, 'state'>, tenant: TenantId, { id, status, error }: StoredReport) {
  if (status === 'failed') throw new AppError('CONFLICT', `the report could not be made: ${error}`)
  const content = await state.reports.getContent(tenant, id)
  if (content === undefined) throw new AppError('CONFLICT', 'the report is being made; retry when its status is succeeded')
  return content
}

/** The framework and the range that a report is about. */
type ReportSubject = Pick<StoredReport, 'framework' | 'from' | 'to'>

async function checkRequest(deps: ReportDeps, tenant: TenantId, request: ReportRequest, at: number): Promise<ReportSubject> {
  const { kind, framework, language } = request
  if (kind === 'compliance') {
    if (framework === undefined) throw invalid('framework', 'a compliance report names its framework')
    const { from, to } = request
    const defined = await defineComplianceReport(deps, tenant, { framework, language, from, to })
    return { framework: defined.framework, from, to }
  }
  if (framework !== undefined) throw invalid('framework', 'only a compliance report has one')
  if (kind === 'assets') {
    if (request.from !== undefined || request.to !== undefined) throw invalid('from', 'a report about assets is about the present')
    return { framework: '', from: undefined, to: undefined }
  }
  const { to = at } = request
  const { from = to - (kind === 'soc_weekly' ? weekMs : rangeMs) } = request
  if (from >= to || to > at || to - from > rangeMsMax) {
    throw invalid('from', `it must be before 'to', which is not in the future, and at most ${rangeMsMax / 86_400_000} days before it`)
  }
  return { framework: '', from, to }
}

function invalid(parameter: string, reason: string): AppError {
  return new AppError('INVALID_PARAMETER', `${parameter}: ${reason}`, { parameter, reason })
}
