import type { SecondFactorBody } from '@tripline/contract/console/access/account'
import type { SessionListBody } from '@tripline/contract/console/access/session'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { useUser } from '../../api/use-user.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './forms.module.css'
import { PlainTable, Section, Time } from './parts.tsx'
import { refreshList, useList } from './settings-queries.ts'

/** The own account: password, second factor, and where it is logged in. */
export function AccountSection(): ReactNode {
  return (
    <>
      <PasswordForm />
      <SecondFactor />
      <Sessions />
    </>
  )
}

function PasswordForm(): ReactNode {
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const body = { current_password: read('current'), new_password: read('new') }
    void run(() => callApi('/v1/auth/password', { method: 'POST', body }), t('settings.password.done'))
  }
  return (
    <Section title={t('settings.password')} hint={t('settings.password.hint')}>
      <form className={styles['form']} onSubmit={save}>
        <Field label={t('settings.password.current')} name="current" type="password" autoComplete="current-password" required />
        <Field
          label={t('settings.password.new')}
          name="new"
          type="password"
          autoComplete="new-password"
          minLength={12}
          hint={t('settings.password.newHint')}
          required
        />
        <Refusal text={problem} />
        <div className={styles['row']}>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('settings.password.change')}
          </Button>
        </div>
      </form>
    </Section>
  )
}

function SecondFactor(): ReactNode {
  const { has_second_factor: hadFactor } = useUser()
  const [hasFactor, setHasFactor] = useState(hadFactor)
  const [offer, setOffer] = useState<SecondFactorBody>()
  const { problem, isBusy, run } = useTask()
  const begin = (): void => void run(async () => setOffer(await callApi<SecondFactorBody>('/v1/auth/totp', { method: 'POST' })))
  const confirm = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const proof = { code: read('code').trim(), password: read('password') }
    const path = offer === undefined ? '/v1/auth/totp/remove' : '/v1/auth/totp/confirm'
    const body = offer === undefined ? proof : { ...proof, secret: offer.secret }
    void run(async () => {
      await callApi(path, { method: 'POST', body })
      setHasFactor(offer !== undefined)
      setOffer(undefined)
    }, t(offer === undefined ? 'settings.factor.removed' : 'settings.factor.added'))
  }
  return (
    <Section title={t('settings.factor')} hint={t('settings.factor.hint')}>
      <div className={styles['state']}>
        <Pill tone={hasFactor ? 'ok' : 'neutral'}>{t(hasFactor ? 'settings.factor.on' : 'settings.factor.off')}</Pill>
        {!hasFactor && offer === undefined && (
          <Button isBusy={isBusy} onClick={begin}>
            {t('settings.factor.add')}
          </Button>
        )}
      </div>
      {(hasFactor || offer !== undefined) && (
        <form className={styles['form']} onSubmit={confirm}>
          {offer !== undefined && (
            <>
              <p className={styles['note']}>{t('settings.factor.secret')}</p>
              <code className={styles['code']}>{offer.secret}</code>
              <p className={styles['note']}>{t('settings.factor.uri')}</p>
              <code className={styles['code']}>{offer.uri}</code>
            </>
          )}
          <Field label={t('settings.factor.code')} name="code" inputMode="numeric" autoComplete="one-time-code" required />
          <Field label={t('settings.password.current')} name="password" type="password" autoComplete="current-password" required />
          <Refusal text={problem} />
          <div className={styles['row']}>
            <Button kind={offer === undefined ? 'danger' : 'primary'} type="submit" isBusy={isBusy}>
              {t(offer === undefined ? 'settings.factor.remove' : 'settings.factor.confirm')}
            </Button>
          </div>
        </form>
      )}
      {!hasFactor && offer === undefined && <Refusal text={problem} />}
    </Section>
  )
}

function Sessions(): ReactNode {
  const { data, error, refetch } = useList<SessionListBody>('sessions', '/v1/auth/sessions')
  const { problem, isBusy, run } = useTask()
  const end = (id: string): void => void run(async () => {
    await callApi(`/v1/auth/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })
    await refreshList('sessions')
  }, t('settings.sessions.ended'))
  return (
    <Section title={t('settings.sessions')} hint={t('settings.sessions.hint')}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <Refusal text={problem} />
      {data !== undefined && (
        <PlainTable
          label={t('settings.sessions')}
          heads={[
            t('settings.sessions.device'), t('settings.sessions.address'), t('settings.sessions.since'), t('settings.sessions.used'),
            t('settings.sessions.ends'), t('settings.actions'),
          ]}
        >
          {data.sessions.map(({ id, created_at: created, refreshed_at: used, ends_at: ends, is_current: isThis, address, ...client }) => (
            <tr key={id}>
              <td>{printDevice(client)}</td>
              <td>{address === null ? t('settings.sessions.unknown') : <code>{toVisibleText(address)}</code>}</td>
              <td><Time at={created} /></td>
              <td><Time at={used} /></td>
              <td><Time at={ends} /></td>
              <td>
                {isThis
                  ? <Pill tone="accent">{t('settings.sessions.this')}</Pill>
                  : <Button isBusy={isBusy} onClick={() => end(id)}>{t('settings.sessions.end')}</Button>}
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
    </Section>
  )
}

/** The program of a session in words, as far as it stated itself. */
function printDevice({ browser, system }: Pick<SessionListBody['sessions'][number], 'browser' | 'system'>): string {
  if (browser !== null && system !== null) {
    return t('settings.sessions.on', { browser: toVisibleText(browser), system: toVisibleText(system) })
  }
  return toVisibleText(browser ?? system ?? t('settings.sessions.unknown'))
}
