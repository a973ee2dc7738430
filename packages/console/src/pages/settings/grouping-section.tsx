import type { ResponseTargetsBody, SettingsBody } from '@tripline/contract/console/access/tenant'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { CheckBox } from '../../ui/forms/check-box.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Versioned } from '../../ui/forms/versioned.tsx'
import styles from './forms.module.css'
import { alertLevels } from './general-section.tsx'
import { PendingSection, Section } from './parts.tsx'
import { saveSettings, useSettings } from './settings-queries.ts'

type Grouping = Exclude<SettingsBody['incident_grouping'], 'off'>

const entityKinds = ['host', 'user', 'ip'] as const
const groupingDefault: Grouping = { window: '4h', level: 'high', entities: ['host', 'user'] }

/** How alerts become incidents by themselves. */
export function GroupingSection(): ReactNode {
  const { data, error, refetch } = useSettings()
  if (data === undefined) {
    return <PendingSection title={t('settings.grouping')} hint={t('settings.grouping.hint')} error={error} onRetry={() => void refetch()} />
  }
  return <Versioned version={data.etag}><GroupingForm stored={data.settings.incident_grouping} /></Versioned>
}

function GroupingForm({ stored }: { readonly stored: SettingsBody['incident_grouping'] }): ReactNode {
  const [isOn, setIsOn] = useState(stored !== 'off')
  const [grouping, setGrouping] = useState<Grouping>(stored === 'off' ? groupingDefault : stored)
  const { problem, isBusy, run } = useTask()
  const { window, level, entities } = grouping
  return (
    <Section title={t('settings.grouping')} hint={t('settings.grouping.hint')}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void run(() => saveSettings({ incident_grouping: isOn ? grouping : 'off' }), t('settings.saved'))
        }}
      >
        <CheckBox label={t('settings.grouping.on')} isOn={isOn} onChange={setIsOn} />
        {isOn && (
          <>
            <Field
              label={t('settings.grouping.window')}
              value={window}
              pattern="[1-9][0-9]{0,4}[mhd]"
              hint={t('settings.grouping.windowHint')}
              onChange={(event) => setGrouping({ ...grouping, window: event.target.value })}
              required
            />
            <Select
              label={t('settings.grouping.level')}
              value={level}
              options={alertLevels.map((value) => ({ value, label: t(`settings.level.${value}`) }))}
              onChange={(value) => setGrouping({ ...grouping, level: value })}
            />
            <fieldset className={styles['group']}>
              <legend className={styles['label']}>{t('settings.grouping.entities')}</legend>
              {entityKinds.map((kind) => (
                <CheckBox
                  key={kind}
                  label={t(`settings.grouping.${kind}`)}
                  isOn={entities.includes(kind)}
                  onChange={(isChosen) => {
                    const next = entityKinds.filter((one) => (one === kind ? isChosen : entities.includes(one)))
                    setGrouping({ ...grouping, entities: next })
                  }}
                />
              ))}
            </fieldset>
          </>
        )}
        <Refusal text={problem} />
        <div className={styles['row']}>
          <Button
            kind="primary"
            type="submit"
            isBusy={isBusy}
            blocked={isOn && entities.length === 0 ? t('settings.needs.entity') : undefined}
          >
            {t('save')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

const severities = ['critical', 'high', 'medium', 'low'] as const

/** Within which time alerts and incidents are to be closed. */
export function ResponseSection(): ReactNode {
  const { data, error, refetch } = useSettings()
  if (data === undefined) {
    return <PendingSection title={t('settings.response')} hint={t('settings.response.hint')} error={error} onRetry={() => void refetch()} />
  }
  return <Versioned version={data.etag}><ResponseForm stored={data.settings.response_targets} /></Versioned>
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
    <Section title={t('settings.response')} hint={t('settings.response.hint')}>
      <form className={styles['form']} onSubmit={save}>
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
