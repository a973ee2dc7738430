import type { UserBody } from '@tripline/contract/console/access/user'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { useUser } from '../../api/use-user.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { CheckBox } from '../../ui/forms/check-box.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Plus } from '../../ui/icons.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './forms.module.css'
import { PlainTable, Section, SecretDialog } from './parts.tsx'
import { refreshList, useList } from './settings-queries.ts'

type UserList = { readonly users: readonly UserBody[] }
type Secret = { readonly one_time_password: string | null }
type Draft = Pick<UserBody, 'email' | 'name' | 'roles' | 'interface' | 'is_active'> & { readonly id: string | undefined }

const roles = ['viewer', 'analyst', 'engineer', 'admin', 'auditor'] as const
const newUser: Draft = { id: undefined, email: '', name: '', roles: ['analyst'], interface: 'console', is_active: true }

/** The users of the tenant: who they are, what they may do, and which pages they work with. */
export function UsersSection(): ReactNode {
  const { data, error, refetch } = useList<UserList>('users', '/v1/users')
  const [draft, setDraft] = useState<Draft>()
  const [secret, setSecret] = useState<string>()
  return (
    <Section title={t('settings.users')}>
      <div className={styles['row']}>
        <Button kind="primary" icon={Plus} onClick={() => setDraft(newUser)}>
          {t('settings.users.add')}
        </Button>
      </div>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <PlainTable
          label={t('settings.users')}
          heads={[
            t('settings.name'), t('settings.email'), t('settings.roles.of'),
            t('settings.interface'), t('settings.state'), t('settings.actions'),
          ]}
        >
          {data.users.map((user) => (
            <tr key={user.id}>
              <td>{toVisibleText(user.name)}</td>
              <td>{toVisibleText(user.email)}</td>
              <td>{user.roles.map((role) => t(`settings.role.${role}`)).join(', ')}</td>
              <td>{t(`settings.interface.${user.interface}`)}</td>
              <td><Pill tone={user.is_active ? 'ok' : 'neutral'}>{t(user.is_active ? 'settings.active' : 'settings.inactive')}</Pill></td>
              <td>
                <div className={styles['cells']}>
                  <Button onClick={() => setDraft(user)} aria-label={t('settings.users.edit', { name: user.name })}>
                    {t('settings.edit')}
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
      {draft !== undefined && <UserDialog draft={draft} onSecret={setSecret} onClose={() => setDraft(undefined)} />}
      {secret !== undefined && <SecretDialog title={t('settings.users.password')} secret={secret} onClose={() => setSecret(undefined)} />}
    </Section>
  )
}

type UserDialogProps = { readonly draft: Draft; readonly onSecret: (secret: string) => void; readonly onClose: () => void }

function UserDialog({ draft, onSecret, onClose }: UserDialogProps): ReactNode {
  const { id, email, name } = draft
  const [own, setOwn] = useState<readonly UserBody['roles'][number][]>(draft.roles)
  const [pages, setPages] = useState(draft.interface)
  const [isActive, setIsActive] = useState(draft.is_active)
  const { problem, isBusy, run } = useTask()
  const save = async (read: (name: string) => string): Promise<void> => {
    const body = { name: read('name').trim(), roles: own, interface: pages }
    if (id === undefined) {
      const created = await callApi<Secret>('/v1/users', {
        method: 'POST', body: { ...body, email: read('email').trim() },
      })
      if (created.one_time_password !== null) onSecret(created.one_time_password)
    } else {
      await callApi(`/v1/users/${encodeURIComponent(id)}`, { method: 'PATCH', body: { ...body, is_active: isActive } })
    }
    await refreshList('users')
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    void run(() => save(read), t('settings.saved')).then((isSaved) => {
      if (isSaved) onClose()
    })
  }
  return (
    <Dialog title={id === undefined ? t('settings.users.add') : t('settings.users.edit', { name })} onClose={onClose}>
      <form className={styles['dialog']} onSubmit={onSubmit}>
        {id === undefined && <Field label={t('settings.email')} name="email" type="email" required autoFocus />}
        {id !== undefined && <p className={styles['note']}>{toVisibleText(email)}</p>}
        <Field label={t('settings.name')} name="name" defaultValue={name} required />
        <fieldset className={styles['group']}>
          <legend className={styles['label']}>{t('settings.roles.of')}</legend>
          {roles.map((role) => (
            <CheckBox
              key={role}
              label={t(`settings.role.${role}`)}
              isOn={own.includes(role)}
              onChange={(isChosen) => setOwn(isChosen ? [...own, role] : own.filter((one) => one !== role))}
            />
          ))}
        </fieldset>
        <Select
          label={t('settings.interface')}
          value={pages}
          options={[
            { value: 'console', label: t('settings.interface.console') },
            { value: 'portal', label: t('settings.interface.portal') },
          ]}
          onChange={setPages}
        />
        {id !== undefined && <CheckBox label={t('settings.active')} isOn={isActive} onChange={setIsActive} />}
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} blocked={own.length === 0 ? t('settings.needs.role') : undefined}>
            {t('save')}
          </Button>
        </div>
      </form>
      {id !== undefined && <UserActions id={id} name={name} onSecret={onSecret} onClose={onClose} />}
    </Dialog>
  )
}

type UserAction = 'reset' | 'sessions' | 'factor' | 'remove'

/** What an administrator does about the account of another user. */
function UserActions({ id, name, onSecret, onClose }: Omit<UserDialogProps, 'draft'> & {
  readonly id: string
  readonly name: string
}): ReactNode {
  const { id: ownId } = useUser()
  const [asked, setAsked] = useState<UserAction>()
  const task = useTask()
  const { run } = task
  if (id === ownId) return null
  const path = `/v1/users/${encodeURIComponent(id)}`
  const tasks: { readonly [action in UserAction]: () => Promise<void> } = {
    reset: async () => {
      const { one_time_password: secret } = await callApi<Secret>(`${path}/password`, { method: 'POST' })
      if (secret !== null) onSecret(secret)
    },
    sessions: () => callApi(`${path}/sessions`, { method: 'DELETE' }),
    factor: () => callApi(`${path}/totp`, { method: 'DELETE' }),
    remove: () => callApi(path, { method: 'DELETE' }),
  }
  const confirm = async (action: UserAction): Promise<void> => {
    const isDone = await run(async () => {
      await tasks[action]()
      await refreshList('users')
    }, t('settings.users.done'))
    if (isDone) onClose()
  }
  return (
    <div className={styles['row']}>
      {(['reset', 'sessions', 'factor', 'remove'] as const).map((action) => (
        <Button key={action} kind={action === 'remove' ? 'danger' : 'normal'} onClick={() => setAsked(action)}>
          {t(`settings.users.${action}`)}
        </Button>
      ))}
      {asked !== undefined && (
        <Question
          title={t(`settings.users.${asked}`)}
          text={t(`settings.users.${asked}.text`, { name: toVisibleText(name) })}
          confirm={t(`settings.users.${asked}`)}
          task={task}
          onConfirm={() => void confirm(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}
