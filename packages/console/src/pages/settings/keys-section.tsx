import type { ApiKeyBody } from '@tripline/contract/console/access/api-key'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { unitMs } from '../../lib/time-range.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Plus } from '../../ui/icons.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './forms.module.css'
import { PlainTable, Section, SecretDialog, Time } from './parts.tsx'
import { refreshList, useList } from './settings-queries.ts'

type KeyList = { readonly api_keys: readonly ApiKeyBody[] }
type Secret = { readonly key: string }

const tones: { readonly [status in ApiKeyBody['status']]: Tone } = { active: 'ok', expired: 'warn', revoked: 'neutral' }

/** The keys of programs that use the public API; a key is shown when it is made, and never again. */
export function KeysSection(): ReactNode {
  const { data, error, refetch } = useList<KeyList>('api-keys', '/v1/api-keys')
  const [isAdding, setIsAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [asked, setAsked] = useState<{ readonly action: 'rotate' | 'revoke'; readonly key: ApiKeyBody }>()
  const task = useTask()
  const { run } = task
  const confirm = (action: 'rotate' | 'revoke', { id }: ApiKeyBody): void => {
    const path = `/v1/api-keys/${encodeURIComponent(id)}`
    void run(async () => {
      if (action === 'rotate') setSecret((await callApi<Secret>(`${path}/rotate`, { method: 'POST', body: {} })).key)
      else await callApi(path, { method: 'DELETE' })
      await refreshList('api-keys')
    }, t(`settings.keys.${action}.done`)).then((isDone) => {
      if (isDone) setAsked(undefined)
    })
  }
  return (
    <Section title={t('settings.api-keys')} hint={t('settings.keys.hint')}>
      <div className={styles['row']}>
        <Button kind="primary" icon={Plus} onClick={() => setIsAdding(true)}>
          {t('settings.keys.add')}
        </Button>
      </div>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.api_keys.length === 0 && <p className={styles['note']}>{t('settings.keys.none')}</p>}
      {data !== undefined && data.api_keys.length > 0 && (
        <PlainTable
          label={t('settings.api-keys')}
          heads={[
            t('settings.name'), t('settings.keys.scope'), t('settings.state'),
            t('settings.keys.used'), t('settings.keys.expires'), t('settings.actions'),
          ]}
        >
          {data.api_keys.map((key) => (
            <tr key={key.id}>
              <td>{toVisibleText(key.name)}</td>
              <td>{t(`settings.keys.scope.${key.scope}`)}</td>
              <td><Pill tone={key.expires_soon ? 'warn' : tones[key.status]}>{t(`settings.keys.status.${key.status}`)}</Pill></td>
              <td><Time at={key.last_used_at} /></td>
              <td><Time at={key.expires_at} /></td>
              <td>
                {key.status === 'active' && (
                  <div className={styles['cells']}>
                    <Button onClick={() => setAsked({ action: 'rotate', key })}>{t('settings.keys.rotate')}</Button>
                    <Button kind="danger" onClick={() => setAsked({ action: 'revoke', key })}>{t('settings.keys.revoke')}</Button>
                  </div>
                )}
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
      {isAdding && <KeyDialog onSecret={setSecret} onClose={() => setIsAdding(false)} />}
      {asked !== undefined && (
        <Question
          title={t(`settings.keys.${asked.action}`)}
          text={t(`settings.keys.${asked.action}.text`, { name: toVisibleText(asked.key.name) })}
          confirm={t(`settings.keys.${asked.action}`)}
          task={task}
          onConfirm={() => confirm(asked.action, asked.key)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {secret !== undefined && <SecretDialog title={t('settings.keys.new')} secret={secret} onClose={() => setSecret(undefined)} />}
    </Section>
  )
}

function KeyDialog({ onSecret, onClose }: { readonly onSecret: (key: string) => void; readonly onClose: () => void }): ReactNode {
  const [scope, setScope] = useState<ApiKeyBody['scope']>('read-only')
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const body = { name: read('name').trim(), scope, expires_at: new Date(Date.now() + Number(read('days')) * unitMs.d).toISOString() }
    void run(async () => {
      onSecret((await callApi<Secret>('/v1/api-keys', { method: 'POST', body })).key)
      await refreshList('api-keys')
    }).then((isDone) => {
      if (isDone) onClose()
    })
  }
  return (
    <Dialog title={t('settings.keys.add')} onClose={onClose}>
      <form className={styles['dialog']} onSubmit={save}>
        <Field label={t('settings.name')} name="name" required autoFocus />
        <Select
          label={t('settings.keys.scope')}
          value={scope}
          options={(['read-only', 'read-write'] as const).map((value) => ({ value, label: t(`settings.keys.scope.${value}`) }))}
          onChange={setScope}
        />
        <Field label={t('settings.keys.days')} name="days" type="number" min={1} max={365} defaultValue={90} required />
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('settings.keys.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
