import type { RetentionForecastBody } from '@tripline/contract/console/access/retention-forecast'
import type { SettingsBody } from '@tripline/contract/console/access/tenant'
import { limits } from '@tripline/contract/limits'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { printBytes } from '../../i18n/print-bytes.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Versioned } from '../../ui/forms/versioned.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './forms.module.css'
import { PendingSection, Section } from './parts.tsx'
import { saveSettings, useList, useSettings } from './settings-queries.ts'

type Retention = SettingsBody['retention']

const parts = ['events_days', 'alerts_days', 'audit_days'] as const
const { tenantSettings: bounds } = limits
const range = {
  events_days: { min: 1, max: bounds.eventsRetentionDaysMax },
  alerts_days: { min: 1, max: bounds.alertsRetentionDaysMax },
  audit_days: { min: bounds.auditRetentionDaysMin, max: bounds.auditRetentionDaysMax },
} as const

/** How long things are kept. A shorter time removes what is older, so it is asked for twice. */
export function RetentionSection(): ReactNode {
  const { data, error, refetch } = useSettings()
  if (data === undefined) {
    const retry = (): void => void refetch()
    return <PendingSection title={t('settings.retention')} hint={t('settings.retention.hint')} error={error} onRetry={retry} />
  }
  return <Versioned version={data.etag}><RetentionForm stored={data.settings.retention} /></Versioned>
}

function RetentionForm({ stored }: { readonly stored: Retention }): ReactNode {
  const [days, setDays] = useState(stored)
  const [isAsking, setIsAsking] = useState(false)
  const task = useTask()
  const { problem, isBusy, run } = task
  const shorter = parts.filter((part) => days[part] < stored[part])
  const save = async (): Promise<void> => {
    if (await run(() => saveSettings({ retention: days }), t('settings.saved'))) setIsAsking(false)
  }
  return (
    <Section title={t('settings.retention')} hint={t('settings.retention.hint')}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (shorter.length > 0) setIsAsking(true)
          else void save()
        }}
      >
        {parts.map((part) => (
          <div key={part}>
            <Field
              label={t(`settings.retention.${part}`)}
              type="number"
              {...range[part]}
              value={days[part]}
              onChange={(event) => setDays({ ...days, [part]: event.target.valueAsNumber })}
              {...(days[part] < stored[part] && { hint: t('settings.retention.shorter', { count: stored[part], after: days[part] }) })}
              required
            />
            <input
              type="range"
              className={styles['slider']}
              aria-label={t('settings.retention.slider', { name: t(`settings.retention.${part}`) })}
              {...range[part]}
              value={Number.isNaN(days[part]) ? range[part].min : days[part]}
              onChange={(event) => setDays({ ...days, [part]: event.target.valueAsNumber })}
            />
          </div>
        ))}
        <Forecast days={days.events_days} />
        <Refusal text={problem} />
        <div className={styles['row']}>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('save')}
          </Button>
        </div>
      </form>
      {isAsking && (
        <Question
          title={t('settings.retention.question')}
          text={t('settings.retention.removes')}
          confirm={t('settings.retention.confirm')}
          task={task}
          onConfirm={() => void save()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}

/** What events need on disk for the days that the form states, before they are saved. */
function Forecast({ days }: { readonly days: number }): ReactNode {
  const { data, error, refetch } = useList<RetentionForecastBody>('retention forecast', '/v1/settings/retention/forecast')
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { bytes_per_day: perDay, stored_bytes: stored, events_per_day: events, disk_free_bytes: free } = data
  if (data.forecast_bytes === null || !Number.isInteger(days)) return <p className={styles['note']}>{t('settings.forecast.none')}</p>
  // With a day in the trash, as the server counts.
  const needed = perDay * (days + 1)
  const isFull = free !== null && needed - stored > free
  return (
    <div role="status" className={styles['note']}>
      <p>{t('settings.forecast', { events: printNumber(events), perDay: printBytes(perDay), days, needed: printBytes(needed) })}</p>
      {free !== null && <p>{t('settings.forecast.disk', { stored: printBytes(stored), free: printBytes(free) })}</p>}
      {isFull && <p>{t('settings.forecast.full', { count: Math.floor(free / perDay) })}</p>}
    </div>
  )
}
