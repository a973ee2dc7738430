import type { SettingsBody } from '@tripline/contract/console/access/tenant'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './forms.module.css'
import { Refusal, Question, Section } from './parts.tsx'
import { saveSettings, useSettings } from './settings-queries.ts'
import { useTask } from './use-task.ts'

type Retention = SettingsBody['retention']

const parts = ['events_days', 'alerts_days', 'audit_days'] as const

/** How long things are kept. A shorter time removes what is older, so it is asked for twice. */
export function RetentionSection(): ReactNode {
  const { data, error, refetch } = useSettings()
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  return data === undefined ? null : <RetentionForm key={data.etag} stored={data.settings.retention} />
}

function RetentionForm({ stored }: { readonly stored: Retention }): ReactNode {
  const [days, setDays] = useState(stored)
  const [isAsking, setIsAsking] = useState(false)
  const { problem, isBusy, run } = useTask()
  const shorter = parts.filter((part) => days[part] < stored[part])
  const save = (): void => void run(() => saveSettings({ retention: days }), t('settings.saved')).then(() => setIsAsking(false))
  return (
    <Section title={t('settings.retention')} hint={t('settings.retention.hint')}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (shorter.length > 0) setIsAsking(true)
          else save()
        }}
      >
        {parts.map((part) => (
          <Field
            key={part}
            label={t(`settings.retention.${part}`)}
            type="number"
            min={1}
            value={days[part]}
            onChange={(event) => setDays({ ...days, [part]: event.target.valueAsNumber })}
            {...(days[part] < stored[part] && { hint: t('settings.retention.shorter', { count: stored[part], after: days[part] }) })}
            required
          />
        ))}
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
          problem={problem}
          isBusy={isBusy}
          onConfirm={save}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Section>
  )
}
