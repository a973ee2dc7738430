import type { TenantId } from '@tripline/model/tenant'
import { AppError } from '@tripline/contract/app-error'
import { getFramework, listControls } from '../compliance/compliance.ts'
import type { ComplianceDeps } from '../compliance/compliance.ts'
import { createComplianceReport } from './compliance-report.ts'
import { printReportPdf } from './print-pdf.ts'
import { printReportCsv, printReportHtml, printReportJson } from './print-report.ts'
import type { Report, ReportLanguage } from './report.ts'

type ReportFormat = 'pdf' | 'html' | 'csv' | 'json'

/**
 * Makes the compliance report of a framework from its newest assessment; it never assesses.
 *
 * @throws AppError NOT_FOUND for a framework that there is not; CONFLICT before its first assessment.
 */
export async function readComplianceReport(
  deps: Pick<ComplianceDeps, 'state' | 'clock' | 'randomBytes'>, tenant: TenantId,
  { framework, language }: { readonly framework: string; readonly language: ReportLanguage },
): Promise<Report> {
  const all: ComplianceDeps = { ...deps, collector: { wake: () => {} } }
  const state = await getFramework(all, tenant, framework)
  const { assessment } = state
  if (assessment === undefined) {
    const { token } = state.catalogue
    throw new AppError('CONFLICT', `${token} was not assessed yet; collect evidence first, or wait for the daily assessment`)
  }
  const { controls } = await listControls(all, tenant, framework)
  return createComplianceReport({ state: { ...state, assessment }, controls }, { language, tenant })
}

/** Prints a report in a format. */
export async function printReport(report: Report, format: ReportFormat): Promise<Buffer> {
  switch (format) {
    case 'pdf': return await printReportPdf(report)
    case 'html': return Buffer.from(printReportHtml(report), 'utf8')
    case 'csv': return Buffer.from(printReportCsv(report), 'utf8')
    case 'json': return Buffer.from(printReportJson(report), 'utf8')
  }
}
