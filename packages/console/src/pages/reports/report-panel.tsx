import { useNavigate } from '@tanstack/react-router'
import type { ReportBody } from '@tripline/contract/console/response/report'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { X } from '../../ui/icons.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { nameReport, ReportStatusPill } from './report-columns.tsx'
import styles from './report-panel.module.css'
import { ReportAbout, ReportDownloads, ReportPreview } from './report-parts.tsx'
import { isBeingMade, removeReport } from './report-queries.ts'

/** One report: how far it has come, its file with its hash, and what it shows. */
export function ReportPanel({ report, onClose }: { readonly report: ReportBody; readonly onClose: () => void }): ReactNode {
  const { status, error } = report
  const name = nameReport(report)
  const mayRemove = useMay('export_all')
  const navigate = useNavigate()
  const openPage = (): void => void navigate({ to: '/reports/$id', params: { id: report.id } })
  useKeys([{ keys: 'o', label: t('reports.open'), run: openPage }])
  return (
    <SidePanel
      label={name}
      head={
        <>
          <div className={styles['line']}>
            <ReportStatusPill status={status} />
            <span className={styles['gap']} />
            <Button keys="o" onClick={openPage}>{t('reports.open')}</Button>
            {mayRemove && <Removal report={report} onRemoved={onClose} />}
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          <h2 className={styles['title']}>{name}</h2>
          {status === 'succeeded' && <ReportDownloads report={report} />}
        </>
      }
    >
      <p role="status" className={styles['note']}>
        {isBeingMade(report) && t('reports.working')}
      </p>
      {status === 'failed' && <p role="alert">{t('reports.failed', { problem: error ?? '' })}</p>}
      <ReportAbout report={report} />
      {status === 'succeeded' && <ReportPreview report={report} />}
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
