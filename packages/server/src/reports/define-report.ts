import { AppError } from '@tripline/contract/app-error'
import type { ReportLanguage, StoredReport } from '@tripline/model/report'
import type { TenantId } from '@tripline/model/tenant'
import { createHash } from 'node:crypto'
import { getFramework } from '../compliance/compliance.ts'
import type { ComplianceDeps } from '../compliance/compliance.ts'
import { createAssetsReport } from './assets-report.ts'
import { readBrand } from './branding.ts'
import { createComplianceReport } from './compliance-report.ts'
import { limits } from './limits.ts'
import { createExecutiveReport, createWeeklyReport } from './overview-report.ts'
import { readAssetFigures, readOverviewFigures } from './read-figures.ts'
import type { FigureDeps } from './read-figures.ts'
import type { Report } from './report.ts'

/** Which assessment a compliance report is about: the newest of a range. */
export type ComplianceReportRequest = {
  /** Any spelling of a framework's token. */
  readonly framework: string
  readonly language: ReportLanguage
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** A compliance report as data, and the hash of the assessment that it is of, with what stands at its head. */
type DefinedReport = { readonly report: Report; readonly framework: string; readonly sha256: string }

/**
 * Defines the compliance report of a framework by the newest assessment of a range; it never assesses.
 *
 * @throws AppError NOT_FOUND for a framework that there is not; INVALID_PARAMETER for an empty range; CONFLICT where there is no
 *   assessment in the range.
 */
export async function defineComplianceReport(
  deps: Pick<ComplianceDeps, 'state'>, tenant: TenantId, { framework, language, from, to }: ComplianceReportRequest,
): Promise<DefinedReport> {
  checkRange({ from, to })
  const state = await getFramework(deps, tenant, framework, to === undefined ? undefined : to - 1)
  const { assessment, catalogue } = state
  if (assessment === undefined || (from !== undefined && assessment.at < from)) {
    const range = from === undefined && to === undefined ? '' : ' in this range'
    const message = `${catalogue.token} was not assessed${range}; collect evidence first, or wait for the daily assessment`
    throw new AppError('CONFLICT', message, { framework: catalogue.token })
  }
  const name = (await deps.state.tenants.get(tenant))?.name ?? tenant
  const report = createComplianceReport({ ...state, assessment }, { language, tenant: name })
  const brand = await readBrand(deps, tenant)
  if (brand === undefined) return { report, framework: catalogue.token, sha256: assessment.sha256 }
  const sha256 = createHash('sha256').update(JSON.stringify([assessment.sha256, brand])).digest('hex')
  return { report: { ...report, brand }, framework: catalogue.token, sha256 }
}

/** @throws AppError INVALID_PARAMETER for an empty range. */
function checkRange({ from, to }: Pick<ComplianceReportRequest, 'from' | 'to'>): void {
  if (from === undefined || to === undefined || from < to) return
  const reason = "it must be before 'to'"
  throw new AppError('INVALID_PARAMETER', `from: ${reason}`, { parameter: 'from', reason })
}

/**
 * Defines a report of the history, by what is stored when it is made.
 *
 * @throws AppError as `defineComplianceReport`; the signal's reason where it ends.
 */
export async function defineReport(deps: FigureDeps, tenant: TenantId, report: StoredReport, signal: AbortSignal): Promise<Report> {
  const { kind, framework, language, from, to } = report
  if (kind === 'compliance') return (await defineComplianceReport(deps, tenant, { framework, language, from, to })).report
  const brand = await readBrand(deps, tenant)
  const made = await defineOverview(deps, tenant, report, signal)
  return brand === undefined ? made : { ...made, brand }
}

async function defineOverview(deps: FigureDeps, tenant: TenantId, report: StoredReport, signal: AbortSignal): Promise<Report> {
  const { kind, language, from, to } = report
  const terms = { language, tenant: (await deps.state.tenants.get(tenant))?.name ?? tenant }
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(limits.reports.scanMs)])
  if (kind === 'assets') {
    return createAssetsReport(await readAssetFigures(deps, tenant, bounded), terms)
  }
  if (from === undefined || to === undefined) throw new Error(`the report ${report.id} has no range`)
  const figures = await readOverviewFigures(deps, tenant, { from, to, signal: bounded })
  return kind === 'executive' ? createExecutiveReport(figures, terms) : createWeeklyReport(figures, terms)
}
