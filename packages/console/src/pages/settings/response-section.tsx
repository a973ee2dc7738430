import type { ResponseTargetsBody } from '@tripline/contract/console/access/tenant'
import type { FormEvent, ReactNode } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './forms.module.css'
import { Section } from './parts.tsx'
import { saveSettings, useSettings } from './settings-queries.ts'

const severities = ['critical', 'high', 'medium', 'low'] as const

/** Within which time alerts and incidents are to be closed. */
export function ResponseSection(): ReactNode {
  const { data, error, refetch } = useSettings()
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  return data === undefined ? null : <ResponseForm key={data.etag} stored={data.settings.response_targets} />
}

function ResponseForm({ stored }: { readonly stored: ResponseTargetsBody }): ReactNode {
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const readMinutes = (severity: (typeof severities)[number]): number | null =>
      read(severity).trim() === '' ? null : Number(read(severity))
    const targets: ResponseTargetsBody = {
      critical: readMinutes('critical'), high: readMinutes('high'), medium: readMinutes('medium'), low: readMinutes('low'),
    }
    void run(async () => {
      await saveSettings({ response_targets: targets })
      // Lists show what is due by the targets of the own profile.
      await queryClient.invalidateQueries({ queryKey: ['me'] })
    }, t('settings.saved'))
  }
  return (
    <Section title={t('settings.response')}>
      <form className={styles['form']} onSubmit={save}>
        <p>{t('settings.response.hint')}</p>
        {severities.map((severity) => (
          <Field
            key={severity}
            label={t('settings.response.minutes', { severity: t(`severity.${severity}`) })}
            name={severity}
            type="number"
            min={1}
            defaultValue={stored[severity] ?? ''}
          />
        ))}
        <Refusal text={problem} />
        <div className={styles['row']}>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
