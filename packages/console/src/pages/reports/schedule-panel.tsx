import type { ReportScheduleBody } from '@tripline/contract/console/report-schedule'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { X } from '../../ui/icons.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import styles from './report-panel.module.css'
import { nameSubject, printLocal, printScheduleTimes, SchedulePill } from './schedule-columns.tsx'
import { removeSchedule, runSchedule, switchSchedule, useChannelNames } from './schedule-queries.ts'

/** One schedule: when it runs, where its reports go, and what can be done with it. */
export function SchedulePanel({ schedule, onRun, onEdit, onClose }: {
  readonly schedule: ReportScheduleBody
  /** A report was begun. */
  readonly onRun: (report: string) => void
  readonly onEdit: () => void
  readonly onClose: () => void
}): ReactNode {
  const { name, enabled, next_runs: runs, timezone } = schedule
  return (
    <SidePanel
      label={toVisibleText(name)}
      head={
        <>
          <div className={styles['line']}>
            <SchedulePill enabled={enabled} />
            <span className={styles['gap']} />
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          <h2 className={styles['title']}>{toVisibleText(name)}</h2>
          {useMay('edit_webhooks') && <Actions schedule={schedule} onRun={onRun} onEdit={onEdit} onRemoved={onClose} />}
        </>
      }
    >
      <About schedule={schedule} />
      <PanelSection title={t('schedules.runs', { zone: timezone })}>
        {runs.length === 0 ? <p className={styles['note']}>{t('schedules.none.next')}</p> : (
          <ol>
            {runs.map((at) => (
              <li key={at}>
                <time dateTime={at}>{printLocal(at, timezone)}</time>
              </li>
            ))}
          </ol>
        )}
      </PanelSection>
    </SidePanel>
  )
}

function About({ schedule }: { readonly schedule: ReportScheduleBody }): ReactNode {
  const { cron, format, lang, days, recipients, last_run_at: last, created_by: by, channel_ids: ids } = schedule
  const { data: channels = [] } = useChannelNames()
  const names = ids.map((id) => channels.find((channel) => channel.id === id)?.name ?? id)
  return (
    <PanelSection title={t('schedules.about')}>
      <Facts
        facts={[
          [t('reports.column.title'), nameSubject(schedule)],
          [t('schedules.times'), printScheduleTimes(cron)],
          [t('reports.column.range'), days === null ? '' : t('schedules.days.before', { count: days })],
          [t('reports.format'), t(`reports.format.${format}`)],
          [t('reports.lang'), t(`reports.lang.${lang}`)],
          [t('schedules.channels'), names.length === 0 ? t('schedules.channels.none') : names.join(', ')],
          [t('schedules.recipients'), recipients.join(', ')],
          [t('schedules.last'), last === null ? '' : printTime(last)],
          [t('schedules.by'), by],
        ]}
      />
    </PanelSection>
  )
}

function Actions({ schedule, onRun, onEdit, onRemoved }: {
  readonly schedule: ReportScheduleBody
  readonly onRun: (report: string) => void
  readonly onEdit: () => void
  readonly onRemoved: () => void
}): ReactNode {
  const { name, enabled } = schedule
  const [isAsking, setIsAsking] = useState(false)
  const task = useTask()
  const { problem, isBusy, run } = task
  const remove = async (): Promise<void> => {
    if (await run(() => removeSchedule(schedule), t('schedules.removed'))) onRemoved()
  }
  return (
    <>
      <div className={styles['line']}>
        <Button kind="primary" isBusy={isBusy} onClick={() => void run(async () => onRun(await runSchedule(schedule)))}>
          {t('schedules.run')}
        </Button>
        <Button onClick={onEdit}>{t('schedules.edit')}</Button>
        <Button onClick={() => void run(() => switchSchedule(schedule))}>{t(enabled ? 'schedules.pause' : 'schedules.resume')}</Button>
        <Button kind="danger" onClick={() => setIsAsking(true)}>{t('schedules.remove')}</Button>
      </div>
      {!isAsking && <Refusal text={problem} />}
      {isAsking && (
        <Question
          title={t('schedules.remove.title')}
          text={t('schedules.remove.text', { name: toVisibleText(name) })}
          confirm={t('schedules.remove')}
          task={task}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
