import type { ReportBody } from '@tripline/contract/console/response/report'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { printReportRange, printSize } from './report-columns.tsx'
import { ReportContent } from './report-content.tsx'
import styles from './report-panel.module.css'
import { downloadReport, useReportContent } from './report-queries.ts'

const formats = ['pdf', 'html', 'csv', 'json'] as const

/** The files of a report, its own format first: its bytes are those of the hash. */
export function ReportDownloads({ report }: { readonly report: ReportBody }): ReactNode {
  const [busy, setBusy] = useState<ReportBody['format']>()
  const download = (format: ReportBody['format']): void => {
    setBusy(format)
    void downloadReport(report, format)
      .catch((problem: unknown) => showToast({ kind: 'error', text: getErrorText(problem) }))
      .finally(() => setBusy(undefined))
  }
  return (
    <div className={styles['line']}>
      <Button kind="primary" isBusy={busy === report.format} onClick={() => download(report.format)}>
        {t('reports.download', { format: t(`reports.format.${report.format}`) })}
      </Button>
      <div role="group" aria-label={t('reports.others')} className={styles['line']}>
        {formats.filter((format) => format !== report.format).map((format) => (
          <Button key={format} isBusy={busy === format} onClick={() => download(format)}>
            {t(`reports.format.${format}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** What a report is about, who asked for it, and its hash. */
export function ReportAbout({ report }: { readonly report: ReportBody }): ReactNode {
  const { lang, requested_by: by, schedule_id: schedule, requested_at: at, finished_at: finished, size, sha256 } = report
  return (
    <PanelSection title={t('reports.about')}>
      <Facts
        facts={[
          [t('reports.column.range'), printReportRange(report)],
          [t('reports.lang'), t(`reports.lang.${lang}`)],
          [t('reports.column.by'), schedule === null ? by : t('reports.by.schedule', { name: by })],
          [t('reports.column.at'), printTime(at)],
          [t('reports.finished'), finished === null ? '' : printTime(finished)],
          [t('reports.column.size'), size === null ? '' : printSize(size)],
          [t('reports.column.hash'), sha256 ?? ''],
        ]}
      />
    </PanelSection>
  )
}

/** What a report shows, in the look of the page. */
export function ReportPreview({ report }: { readonly report: ReportBody }): ReactNode {
  const { data, error, refetch } = useReportContent(report)
  return (
    <PanelSection title={t('reports.preview')}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && <ReportContent content={data} />}
    </PanelSection>
  )
}
