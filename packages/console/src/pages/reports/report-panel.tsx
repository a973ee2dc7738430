import type { ReportBody } from '@tripline/contract/console/response/report'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { useMay } from '../../api/use-may.ts'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { X } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { nameReport, printReportRange, printSize, ReportStatusPill } from './report-columns.tsx'
import { ReportContent } from './report-content.tsx'
import styles from './report-panel.module.css'
import { downloadReport, isBeingMade, removeReport, useReportContent } from './report-queries.ts'

const formats = ['pdf', 'html', 'csv', 'json'] as const

/** One report: how far it has come, its file with its hash, and what it shows. */
export function ReportPanel({ report, onClose }: { readonly report: ReportBody; readonly onClose: () => void }): ReactNode {
  const { status, error } = report
  const name = nameReport(report)
  const mayRemove = useMay('export_all')
  return (
    <SidePanel
      label={name}
      head={
        <>
          <div className={styles['line']}>
            <ReportStatusPill status={status} />
            <span className={styles['gap']} />
            {mayRemove && <Removal report={report} onRemoved={onClose} />}
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          <h2 className={styles['title']}>{name}</h2>
          {status === 'succeeded' && <Downloads report={report} />}
        </>
      }
    >
      <p role="status" className={styles['note']}>
        {isBeingMade(report) && t('reports.working')}
      </p>
      {status === 'failed' && <p role="alert">{t('reports.failed', { problem: error ?? '' })}</p>}
      <About report={report} />
      {status === 'succeeded' && <Preview report={report} />}
    </SidePanel>
  )
}

/** Deletes the report with its file, after a question. */
function Removal({ report, onRemoved }: { readonly report: ReportBody; readonly onRemoved: () => void }): ReactNode {
  const [isAsking, setIsAsking] = useState(false)
  const task = useTask()
  const { run } = task
  const remove = async (): Promise<void> => {
    if (await run(() => removeReport(report), t('reports.removed'))) onRemoved()
  }
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsking(true)}>{t('reports.remove')}</Button>
      {isAsking && (
        <Question
          title={t('reports.remove.title')}
          text={t('reports.remove.text', { name: nameReport(report) })}
          confirm={t('reports.remove')}
          task={task}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

/** Its own format first: its bytes are those of the hash. */
function Downloads({ report }: { readonly report: ReportBody }): ReactNode {
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

function About({ report }: { readonly report: ReportBody }): ReactNode {
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

function Preview({ report }: { readonly report: ReportBody }): ReactNode {
  const { data, error, refetch } = useReportContent(report)
  return (
    <PanelSection title={t('reports.preview')}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && <ReportContent content={data} />}
    </PanelSection>
  )
}
