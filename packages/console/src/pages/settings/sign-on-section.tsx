import type { SignOnBody, SignOnChangeBody } from '@tripline/contract/console/access/sign-on'
import type { UserBody } from '@tripline/contract/console/access/user'
import { limits } from '@tripline/contract/limits'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select, TextArea } from '../../ui/field.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { CheckBox } from '../../ui/forms/check-box.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Versioned } from '../../ui/forms/versioned.tsx'
import { Copy } from '../../ui/icons.tsx'
import styles from './forms.module.css'
import { Lines, readLines } from './lines.tsx'
import { PendingSection, Section } from './parts.tsx'
import { saveSettings, useList, useSettings } from './settings-queries.ts'
import { saveSignOn, useSignOn } from './sign-on-queries.ts'
import { SignOnTest } from './sign-on-test.tsx'

const bounds = limits.tenantSettings

type Times = { readonly session_idle_minutes: number; readonly session_lifetime_hours: number }
type UserList = { readonly users: readonly UserBody[] }

/** How users log in at the tenant's own identity provider: the provider, a test login, who may still use a password, and sessions. */
export function SignOnSection(): ReactNode {
  const { data, error, refetch } = useSignOn()
  if (data === undefined) {
    return <PendingSection title={t('settings.sign-on')} hint={t('settings.sso.hint')} error={error} onRetry={() => void refetch()} />
  }
  return (
    <>
      <Versioned version={data.etag}><SignOnForm stored={data.signOn} /></Versioned>
      <SignOnTest signOn={data.signOn} />
      <SessionPolicy />
    </>
  )
}

function SignOnForm({ stored }: { readonly stored: SignOnBody }): ReactNode {
  const [protocol, setProtocol] = useState(stored.protocol)
  const [isEnabled, setIsEnabled] = useState(stored.enabled)
  const [isEnforced, setIsEnforced] = useState(stored.enforced)
  const [keptUser, setKeptUser] = useState(stored.break_glass_user_id ?? '')
  const [asked, setAsked] = useState<SignOnChangeBody>()
  const task = useTask()
  const { problem, isBusy, run } = task
  const save = async (change: SignOnChangeBody): Promise<void> => {
    // What the server refuses stands in the dialog that asked.
    if (await run(() => saveSignOn(change), t('settings.saved'))) setAsked(undefined)
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const change = {
      protocol, enabled: isEnabled, enforced: isEnforced, issuer: read('issuer').trim(), client_id: stored.client_id,
      ...(protocol === 'saml' ? readSamlFields(read) : readOidcFields(read)), email_domains: readLines(read('domains')),
      break_glass_user_id: keptUser === '' ? null : keptUser,
    }
    if (isEnforced && !stored.enforced) setAsked(change)
    else void save(change)
  }
  return (
    <Section title={t('settings.sign-on')} hint={t('settings.sso.hint')}>
      <form className={styles['form']} onSubmit={submit}>
        <Select
          label={t('settings.sso.protocol')}
          value={protocol}
          options={[{ value: 'oidc', label: 'OpenID Connect' }, { value: 'saml', label: 'SAML 2.0' }]}
          onChange={setProtocol}
        />
        {protocol === 'saml' ? <SamlFields stored={stored} /> : <OidcFields stored={stored} />}
        <Lines label={t('settings.sso.domains')} name="domains" values={stored.email_domains} />
        <p className={styles['note']}>{t('settings.sso.domainsHint')}</p>
        <CheckBox label={t('settings.sso.enable')} isOn={isEnabled} onChange={setIsEnabled} />
        <KeptUser value={keptUser} onChange={setKeptUser} />
        <CheckBox label={t('settings.sso.enforce')} isOn={isEnforced} onChange={setIsEnforced} />
        <p className={styles['note']}>{t('settings.sso.enforceHint')}</p>
        {asked === undefined && <Refusal text={problem} />}
        <div className={styles['row']}>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('save')}
          </Button>
        </div>
      </form>
      {asked !== undefined && (
        <Question
          title={t('settings.sso.enforceQuestion')}
          text={t('settings.sso.enforceText')}
          confirm={t('settings.sso.enforceConfirm')}
          task={task}
          onConfirm={() => void save(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  )
}

function OidcFields({ stored }: { readonly stored: SignOnBody }): ReactNode {
  return (
    <>
      {stored.redirect_uri === null
        ? <Refusal text={t('settings.sso.noUrl')} />
        : <Address label={t('settings.sso.redirect')} text={stored.redirect_uri} />}
      <Field label={t('settings.sso.issuer')} name="issuer" type="url" defaultValue={stored.issuer} hint={t('settings.sso.issuerHint')} />
      <Field label={t('settings.sso.client')} name="client_id" defaultValue={stored.client_id} autoComplete="off" spellCheck={false} />
      <Field
        label={t('settings.sso.secret')}
        name="client_secret"
        type="password"
        autoComplete="new-password"
        hint={t(stored.has_client_secret ? 'settings.sso.secretKept' : 'settings.sso.secretNone')}
      />
      <Field label={t('settings.sso.scopes')} name="scopes" defaultValue={stored.scopes.join(' ')} spellCheck={false} required />
    </>
  )
}

function readOidcFields(read: (name: string) => string): Partial<SignOnChangeBody> {
  const secret = read('client_secret')
  return { client_id: read('client_id').trim(), ...(secret !== '' && { client_secret: secret }), scopes: readLines(read('scopes')) }
}

function SamlFields({ stored }: { readonly stored: SignOnBody }): ReactNode {
  const { service_provider: own } = stored
  return (
    <>
      {own === null
        ? <Refusal text={t('settings.sso.noUrl')} />
        : (
            <>
              <Address label={t('settings.sso.metadata')} text={own.metadata_url} />
              <Address label={t('settings.sso.acs')} text={own.acs_url} />
            </>
          )}
      <Field
        label={t('settings.sso.entity')}
        name="issuer"
        defaultValue={stored.issuer}
        hint={t('settings.sso.entityHint')}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        label={t('settings.sso.loginUrl')}
        name="login_url"
        type="url"
        defaultValue={stored.login_url}
        hint={t('settings.sso.loginUrlHint')}
      />
      <TextArea
        label={t('settings.sso.certificates')}
        name="certificates"
        rows={6}
        defaultValue={stored.certificates.join('\n')}
        hint={t('settings.sso.certificatesHint', { count: limits.signOn.certificatesMax })}
        spellCheck={false}
      />
    </>
  )
}

function readSamlFields(read: (name: string) => string): Partial<SignOnChangeBody> {
  // Certificates in PEM stand one after another; without its frame there is one.
  const texts = read('certificates').split(/(?<=-----END CERTIFICATE-----)/).map((text) => text.trim())
  return { login_url: read('login_url').trim(), certificates: texts.filter((text) => text !== '') }
}

/** What the administrator registers at the provider. */
function Address({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <div className={styles['group']}>
      <span className={styles['label']}>{label}</span>
      <div className={styles['row']}>
        <code className={styles['code']}>{text}</code>
        <Button icon={Copy} onClick={() => void copyText(text)}>
          {t('settings.copy')}
        </Button>
      </div>
    </div>
  )
}

/** The administrator with an own password who can log in while the provider fails. */
function KeptUser({ value, onChange }: { readonly value: string; readonly onChange: (id: string) => void }): ReactNode {
  const { data } = useList<UserList>('users', '/v1/users')
  const users = data?.users ?? []
  const choices = users.filter(
    ({ id, roles, is_active, issuer }) => id === value || (is_active && issuer === null && roles.includes('admin')),
  )
  return (
    <Select
      label={t('settings.sso.kept')}
      value={value}
      options={[
        { value: '', label: t('settings.sso.keptNone') },
        ...choices.map(({ id, email }) => ({ value: id, label: toVisibleText(email) })),
      ]}
      onChange={onChange}
    />
  )
}

/** When sessions end, however users logged in. */
function SessionPolicy(): ReactNode {
  const { data, error, refetch } = useSettings()
  if (data === undefined) {
    const retry = (): void => void refetch()
    return <PendingSection title={t('settings.sso.sessions')} hint={t('settings.sso.sessionsHint')} error={error} onRetry={retry} />
  }
  return <Versioned version={data.etag}><PolicyForm stored={data.settings} /></Versioned>
}

function PolicyForm({ stored }: { readonly stored: Times }): ReactNode {
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const times = { session_idle_minutes: Number(read('idle')), session_lifetime_hours: Number(read('lifetime')) }
    void run(() => saveSettings(times), t('settings.saved'))
  }
  return (
    <Section title={t('settings.sso.sessions')} hint={t('settings.sso.sessionsHint')}>
      <form className={styles['form']} onSubmit={save}>
        <Field
          label={t('settings.sso.idle')}
          name="idle"
          type="number"
          min={bounds.sessionIdleMinutesMin}
          max={bounds.sessionIdleMinutesMax}
          defaultValue={stored.session_idle_minutes}
          required
        />
        <Field
          label={t('settings.sso.lifetime')}
          name="lifetime"
          type="number"
          min={1}
          max={bounds.sessionLifetimeHoursMax}
          defaultValue={stored.session_lifetime_hours}
          required
        />
        <Refusal text={problem} />
        <div className={styles['row']}>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('settings.sso.saveSessions')}
          </Button>
        </div>
      </form>
    </Section>
  )
}
