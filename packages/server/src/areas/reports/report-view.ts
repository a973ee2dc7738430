import type { ReportBody } from '@tripline/contract/console/response/report'
import type { StoredReport } from '@tripline/model/report'
import { formatTimestamp } from '../../http/format-timestamp.ts'

export const reportsPath = '/v1/reports'

/** A report as the console shows it. */
export function printReportEntry({ id, kind, framework, format, language, status, ...report }: StoredReport): ReportBody {
  const url = `${reportsPath}/${id}`
  const isDone = status === 'succeeded'
  return {
    id, kind, framework: framework === '' ? null : framework, title: report.title, format, lang: language, status,
    from: formatTimestamp(report.from), to: formatTimestamp(report.to),
    schedule_id: report.scheduleId === '' ? null : report.scheduleId, requested_by: report.requestedBy,
    requested_at: formatTimestamp(report.requestedAt), finished_at: formatTimestamp(report.finishedAt),
    size: isDone ? report.size : null, sha256: isDone ? report.sha256 : null, error: report.error === '' ? null : report.error,
    status_url: url, preview_url: isDone ? `${url}/preview` : null, file_url: isDone ? `${url}/file` : null,
  }
}
