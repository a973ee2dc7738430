import type { RoleMappingResultBody, SettingsBody } from '@tripline/contract/console/access/tenant'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Versioned } from '../../ui/forms/versioned.tsx'
import { Plus, Trash2 } from '../../ui/icons.tsx'
import styles from './forms.module.css'
import { PendingSection, Section } from './parts.tsx'
import { saveSettings, useSettings } from './settings-queries.ts'

type Entry = SettingsBody['role_mapping'][number]


const roles = ['viewer', 'analyst', 'engineer', 'admin', 'auditor'] as const
const newEntry: Entry = { claim: 'groups', op: 'contains', value: '', role: 'viewer' }
const exampleClaims = '{\n  "groups": ["soc-analysts"]\n}'

/** Which claims of an outside identity provider give which role; the first entry that fits decides. */
export function RolesSection(): ReactNode {
  const { data, error, refetch } = useSettings()
  if (data === undefined) {
    return <PendingSection title={t('settings.roles')} hint={t('settings.roles.hint')} error={error} onRetry={() => void refetch()} />
  }
  return <Versioned version={data.etag}><MappingForm stored={data.settings.role_mapping} /></Versioned>
}

function MappingForm({ stored }: { readonly stored: readonly Entry[] }): ReactNode {
  const [entries, setEntries] = useState(stored)
  const { problem, isBusy, run } = useTask()
  const change = (index: number, part: Partial<Entry>): void => {
    setEntries(entries.map((entry, at) => (at === index ? { ...entry, ...part } : entry)))
  }
  const save = (): void => void run(() => saveSettings({ role_mapping: [...entries] }), t('settings.saved'))
  return (
    <>
      <Section title={t('settings.roles')} hint={t('settings.roles.hint')}>
        {entries.length === 0 && <p className={styles['note']}>{t('settings.roles.empty')}</p>}
        {entries.map(({ claim, op, value, role }, index) => (
          <div key={index} className={styles['row']} role="group" aria-label={t('settings.roles.entry', { number: index + 1 })}>
            <Field label={t('settings.roles.claim')} value={claim} onChange={(event) => change(index, { claim: event.target.value })} />
            <Select
              label={t('settings.roles.op')}
              value={op}
              options={[
                { value: 'contains', label: t('settings.roles.contains') },
                { value: 'equals', label: t('settings.roles.equals') },
              ]}
              onChange={(next) => change(index, { op: next })}
            />
            <Field label={t('settings.roles.value')} value={value} onChange={(event) => change(index, { value: event.target.value })} />
            <Select
              label={t('settings.roles.role')}
              value={role}
              options={roles.map((one) => ({ value: one, label: t(`settings.role.${one}`) }))}
              onChange={(next) => change(index, { role: next })}
            />
            <IconButton
              icon={Trash2}
              label={t('settings.roles.remove', { number: index + 1 })}
              onClick={() => setEntries(entries.filter((_, at) => at !== index))}
            />
          </div>
        ))}
        <Refusal text={problem} />
        <div className={styles['row']}>
          <Button icon={Plus} onClick={() => setEntries([...entries, newEntry])}>
            {t('settings.roles.add')}
          </Button>
          <Button kind="primary" isBusy={isBusy} onClick={save}>
            {t('save')}
          </Button>
        </div>
      </Section>
      <Tester entries={entries} />
    </>
  )
}

/** Tries the entries, saved or not, on the claims of a token. */
function Tester({ entries }: { readonly entries: readonly Entry[] }): ReactNode {
  const [claims, setClaims] = useState(exampleClaims)
  const [result, setResult] = useState<RoleMappingResultBody>()
  const { problem, isBusy, run } = useTask()
  const test = (): void => void run(async () => {
    setResult(undefined)
    const body = { claims: JSON.parse(claims) as unknown, role_mapping: entries }
    setResult(await callApi<RoleMappingResultBody>('/v1/settings/role-mapping/test', { method: 'POST', body }))
  })
  return (
    <Section title={t('settings.roles.test')} hint={t('settings.roles.testHint')}>
      <label className={styles['group']}>
        <span className={styles['label']}>{t('settings.roles.claims')}</span>
        <textarea
          className={styles['text']}
          rows={6}
          value={claims}
          spellCheck={false}
          onChange={(event) => setClaims(event.target.value)}
        />
      </label>
      <Refusal text={problem} />
      <div className={styles['row']}>
        <Button isBusy={isBusy} onClick={test}>
          {t('settings.roles.try')}
        </Button>
        <p role="status">
          {result !== undefined && printResult(result)}
        </p>
      </div>
    </Section>
  )
}

function printResult({ roles: given, entry }: RoleMappingResultBody): string {
  if (entry === null || given.length === 0) return t('settings.roles.none')
  return t('settings.roles.gives', { role: given.map((role) => t(`settings.role.${role}`)).join(', '), number: entry + 1 })
}
