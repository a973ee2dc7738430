import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Print } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { ErrorMessage, StateMessage } from '../../ui/state-message.tsx'
import { nameReport, ReportStatusPill } from './report-columns.tsx'
import { ReportAbout, ReportDownloads, ReportPreview } from './report-parts.tsx'
import { isBeingMade, useReport } from './report-queries.ts'
import styles from './report-page.module.css'

/** One report as a page: what it shows, and its files with their hash. */
export function ReportPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const { data: report, error, isError, refetch } = useReport(id)
  const isReady = report?.status === 'succeeded'
  useKeys(isReady ? [{ keys: 'p', label: t('reports.print'), run: () => window.print() }] : [])
  return (
    <>
      <PageHead title={report === undefined ? t('nav.reports') : nameReport(report)}>
        {isReady && <Button kind="ghost" icon={Print} keys="p" onClick={() => window.print()}>{t('reports.print')}</Button>}
      </PageHead>
      <div className={styles['page']}>
        <div className={styles['line']}>
          <Link to="/reports" className={styles['back']}>{t('reports.all')}</Link>
          {report !== undefined && <ReportStatusPill status={report.status} />}
        </div>
        {isError && (isMissing(error)
          ? <StateMessage title={t('state.notFound')} />
          : <ErrorMessage error={error} onRetry={() => void refetch()} />)}
        {report === undefined && !isError && <Skeleton lines={10} />}
        {report !== undefined && (
          <>
            <p role="status" className={styles['note']}>{isBeingMade(report) && t('reports.working')}</p>
            {report.status === 'failed' && <p role="alert">{t('reports.failed', { problem: report.error ?? '' })}</p>}
            {isReady && <div className={styles['files']}><ReportDownloads report={report} /></div>}
            <ReportAbout report={report} />
            {isReady && <ReportPreview report={report} />}
          </>
        )}
      </div>
    </>
  )
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND'
}
