import type { ChannelBody } from '@tripline/contract/console/channel'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { look } from '../../lib/look.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextArea } from '../../ui/field.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import styles from './forms.module.css'
import { refreshList } from './settings-queries.ts'

type Settings = ChannelBody['settings']
type SecretName = ChannelBody['secrets'][number]
type Security = Extract<Settings, { readonly type: 'email' }>['security']

const types = ['email', 'slack', 'teams', 'pagerduty', 'webhook'] as const
const securities = ['starttls', 'tls', 'none'] as const
const languages = ['en', 'ko'] as const
const usualPager = 'https://events.pagerduty.com/v2/enqueue'
/** Secrets by type, those that it needs first. */
const secretsOf: { readonly [type in Settings['type']]: readonly SecretName[] } = {
  email: ['password'], slack: ['url'], teams: ['url'], pagerduty: ['routing_key'], webhook: ['url', 'authorization'],
}
const optionalSecrets: readonly SecretName[] = ['password', 'authorization']

/** Asks for the settings of a channel; without a channel it creates one, whose type then stays. */
export function ChannelDialog({ channel, onClose }: {
  readonly channel: ChannelBody | undefined
  readonly onClose: () => void
}): ReactNode {
  const [type, setType] = useState<Settings['type']>(channel?.settings.type ?? 'email')
  const stored = channel?.settings
  const mail = stored?.type === 'email' ? stored : undefined
  const [security, setSecurity] = useState<Security>(mail?.security ?? 'starttls')
  const [language, setLanguage] = useState<ChannelBody['language']>(channel?.language ?? look.get().language)
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const stated = secretsOf[type].filter((name) => read(name) !== '').map((name) => [name, read(name)] as const)
    const body = {
      name: read('name').trim(), settings: readSettings(type, security, read), language,
      // What is not stated stays as it is.
      ...(stated.length > 0 && { secrets: Object.fromEntries(stated) }),
    }
    void run(async () => {
      if (channel === undefined) await callApi('/v1/channels', { method: 'POST', body })
      else await callApi(`/v1/channels/${encodeURIComponent(channel.id)}`, { method: 'PATCH', body })
      await refreshList('channels')
    }, t('settings.saved')).then((isDone) => {
      if (isDone) onClose()
    })
  }
  return (
    <Dialog title={t(channel === undefined ? 'channels.add' : 'channels.edit')} onClose={onClose}>
      <form className={styles['dialog']} onSubmit={save}>
        {channel === undefined && (
          <Select
            label={t('channels.type')}
            value={type}
            options={types.map((value) => ({ value, label: t(`channels.type.${value}`) }))}
            onChange={setType}
          />
        )}
        <Field label={t('settings.name')} name="name" defaultValue={channel?.name ?? ''} maxLength={100} required autoFocus />
        {type === 'email' && <MailFields stored={mail} security={security} onSecurity={setSecurity} />}
        {type === 'pagerduty' && (
          <Field
            label={t('channels.pagerduty.url')}
            name="pager_url"
            type="url"
            defaultValue={stored?.type === 'pagerduty' ? stored.url : usualPager}
            hint={t('channels.pagerduty.hint')}
            required
          />
        )}
        {type === 'webhook' && (
          <TextArea
            label={t('channels.template')}
            name="template"
            defaultValue={stored?.type === 'webhook' ? stored.template : ''}
            hint={t('channels.template.hint')}
          />
        )}
        {secretsOf[type].map((name) => {
          const isKept = channel?.secrets.includes(name) === true
          return (
            <Field
              key={name}
              label={t(`channels.secret.${name}`)}
              name={name}
              type="password"
              autoComplete="off"
              required={!isKept && !optionalSecrets.includes(name)}
              {...(isKept && { hint: t('channels.secret.kept') })}
            />
          )
        })}
        <Select
          label={t('channels.language')}
          value={language}
          options={languages.map((value) => ({ value, label: t(`channels.language.${value}`) }))}
          onChange={setLanguage}
        />
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>{t('save')}</Button>
        </div>
      </form>
    </Dialog>
  )
}

function MailFields({ stored, security, onSecurity }: {
  readonly stored: Extract<Settings, { readonly type: 'email' }> | undefined
  readonly security: Security
  readonly onSecurity: (security: Security) => void
}): ReactNode {
  return (
    <>
      <div className={styles['pair']}>
        <Field label={t('channels.mail.host')} name="host" defaultValue={stored?.host ?? ''} required />
        <Field label={t('channels.mail.port')} name="port" type="number" min={1} max={65_535} defaultValue={stored?.port ?? 587} required />
      </div>
      <Select
        label={t('channels.mail.security')}
        value={security}
        options={securities.map((value) => ({ value, label: t(`channels.mail.security.${value}`) }))}
        onChange={onSecurity}
      />
      <Field label={t('channels.mail.from')} name="from" defaultValue={stored?.from ?? ''} hint={t('channels.mail.from.hint')} required />
      <Field
        label={t('channels.mail.to')}
        name="to"
        defaultValue={stored?.to.join(', ') ?? ''}
        hint={t('channels.mail.to.hint')}
        required
      />
      <Field
        label={t('channels.mail.username')}
        name="username"
        defaultValue={stored?.username ?? ''}
        hint={t('channels.mail.username.hint')}
      />
      <TextArea
        label={t('channels.mail.certificate')}
        name="ca_certificate"
        defaultValue={stored?.ca_certificate ?? ''}
        hint={t('channels.mail.certificate.hint')}
      />
    </>
  )
}

function readSettings(type: Settings['type'], security: Security, read: (name: string) => string): Settings {
  switch (type) {
    case 'email':
      return {
        type, security, host: read('host').trim(), port: Number(read('port')), username: read('username').trim(), from: read('from').trim(),
        to: read('to').split(/[\s,;]+/).filter((address) => address !== ''), ca_certificate: read('ca_certificate').trim(),
      }
    case 'webhook': return { type, template: read('template').trim() }
    case 'pagerduty': return { type, url: read('pager_url').trim() }
    case 'slack': case 'teams': return { type }
  }
}
