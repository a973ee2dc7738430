import type { SettingsBody } from '@tripline/contract/console/access/tenant'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { CheckBox } from '../../ui/forms/check-box.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Versioned } from '../../ui/forms/versioned.tsx'
import styles from './forms.module.css'
import { Lines, readLines } from './lines.tsx'
import { PendingSection, Section } from './parts.tsx'
import { saveSettings, useSettings } from './settings-queries.ts'

export const alertLevels = ['informational', 'low', 'medium', 'high', 'critical'] as const

/** What holds for the whole tenant: time zone, alerts, own networks, second factors. */
export function GeneralSection(): ReactNode {
  const { data, error, refetch } = useSettings()
  if (data === undefined) return <PendingSection title={t('settings.general')} error={error} onRetry={() => void refetch()} />
  return <Versioned version={data.etag}><GeneralForm settings={data.settings} /></Versioned>
}

function GeneralForm({ settings }: { readonly settings: SettingsBody }): ReactNode {
  const [level, setLevel] = useState(settings.min_alert_level)
  const [profile, setProfile] = useState(settings.default_api_profile)
  const [mfa, setMfa] = useState(settings.mfa)
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const patch = {
      timezone: read('timezone').trim(), min_alert_level: level, dedup_minutes: Number(read('dedup')), mfa,
      allow_endless_api_keys: read('endless') !== '', default_api_profile: profile, require_close_note: read('note') !== '',
      own_domains: readLines(read('domains')), own_networks: readLines(read('networks')),
    }
    void run(() => saveSettings(patch), t('settings.saved'))
  }
  return (
    <Section title={t('settings.general')}>
      <form className={styles['form']} onSubmit={save}>
        <Field
          label={t('settings.timezone')}
          name="timezone"
          defaultValue={settings.timezone}
          hint={t('settings.timezone.hint')}
          required
        />
        <Select
          label={t('settings.minLevel')}
          value={level}
          options={alertLevels.map((value) => ({ value, label: t(`settings.level.${value}`) }))}
          onChange={setLevel}
        />
        <Field
          label={t('settings.dedup')}
          name="dedup"
          type="number"
          min={0}
          defaultValue={settings.dedup_minutes}
          hint={t('settings.dedup.hint')}
          required
        />
        <Lines label={t('settings.domains')} name="domains" values={settings.own_domains} />
        <Lines label={t('settings.networks')} name="networks" values={settings.own_networks} />
        <Select
          label={t('settings.mfa')}
          value={mfa}
          options={[
            { value: 'off', label: t('settings.mfa.off') },
            { value: 'required', label: t('settings.mfa.required') },
          ]}
          onChange={setMfa}
        />
        <Select
          label={t('settings.profile')}
          value={profile}
          options={[
            { value: 'a', label: t('settings.profile.a') },
            { value: 'b', label: t('settings.profile.b') },
          ]}
          onChange={setProfile}
        />
        <CheckBox label={t('settings.endless')} name="endless" isOn={settings.allow_endless_api_keys} />
        <CheckBox label={t('settings.closeNote')} name="note" isOn={settings.require_close_note} />
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
