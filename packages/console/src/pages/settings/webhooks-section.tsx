import type { WebhookBody, WebhookDeliveryBody, WebhookWithSecretBody } from '@tripline/contract/console/webhook'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { useMay } from '../../api/use-may.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckBox } from '../../ui/forms/check-box.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Plus } from '../../ui/icons.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { Deliveries } from './deliveries.tsx'
import styles from './forms.module.css'
import { PlainTable, Section, SecretDialog, Time } from './parts.tsx'
import { refreshList, useList } from './settings-queries.ts'

type WebhookList = { readonly webhooks: readonly WebhookBody[] }

const events = [
  'alert.created', 'alert.updated', 'incident.created', 'incident.updated', 'collector.disconnected', 'collector.connected',
  'connector.unhealthy', 'rule.disabled',
] as const satisfies readonly WebhookBody['events'][number][]
const tones: { readonly [status in WebhookBody['status']]: Tone } = {
  active: 'ok', disabled: 'neutral', disabled_by_failures: 'bad', gone: 'bad',
}

/** Where events are sent: each webhook with its state, its deliveries, and what can be sent again. */
export function WebhooksSection(): ReactNode {
  const mayEdit = useMay('edit_webhooks')
  const { data, error, refetch } = useList<WebhookList>('webhooks', '/v1/webhooks', { limit: '200' })
  const [isAdding, setIsAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [openId, setOpenId] = useState<string>()
  const open = data?.webhooks.find(({ id }) => id === openId)
  return (
    <>
      <Section title={t('settings.webhooks')} hint={t('settings.webhooks.hint')}>
        {mayEdit && (
          <div className={styles['row']}>
            <Button kind="primary" icon={Plus} onClick={() => setIsAdding(true)}>
              {t('settings.webhooks.add')}
            </Button>
          </div>
        )}
        {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {data?.webhooks.length === 0 && <p className={styles['note']}>{t('settings.webhooks.none')}</p>}
        {data !== undefined && data.webhooks.length > 0 && (
          <PlainTable
            label={t('settings.webhooks')}
            heads={[
              t('settings.name'), t('settings.webhooks.url'), t('settings.state'),
              t('settings.webhooks.last'), t('settings.actions'),
            ]}
          >
            {data.webhooks.map((webhook) => (
              <tr key={webhook.id}>
                <td>{toVisibleText(webhook.name)}</td>
                <td>{toVisibleText(webhook.url)}</td>
                <td><Pill tone={tones[webhook.status]}>{t(`settings.webhooks.status.${webhook.status}`)}</Pill></td>
                <td><Time at={webhook.last_delivery_at} /></td>
                <td>
                  <div className={styles['cells']}>
                    <Button isPressed={webhook.id === openId} onClick={() => setOpenId(webhook.id === openId ? undefined : webhook.id)}>
                      {t('settings.webhooks.deliveries')}
                    </Button>
                  </div>
                </td>
              </tr>
            ))}
          </PlainTable>
        )}
      </Section>
      {open !== undefined && (
        <>
          {mayEdit && <WebhookActions key={open.id} webhook={open} onSecret={setSecret} onRemoved={() => setOpenId(undefined)} />}
          <Deliveries key={`${open.id} deliveries`} webhook={open} mayEdit={mayEdit} />
        </>
      )}
      {isAdding && <WebhookDialog onSecret={setSecret} onClose={() => setIsAdding(false)} />}
      {secret !== undefined && <SecretDialog title={t('settings.webhooks.secret')} secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

function WebhookDialog({ onSecret, onClose }: { readonly onSecret: (secret: string) => void; readonly onClose: () => void }): ReactNode {
  const [chosen, setChosen] = useState<readonly WebhookBody['events'][number][]>(['alert.created', 'incident.created'])
  const { problem, isBusy, run } = useTask()
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const read = readForm(event.currentTarget)
    const body = { name: read('name').trim(), url: read('url').trim(), events: chosen }
    void run(async () => {
      onSecret((await callApi<WebhookWithSecretBody>('/v1/webhooks', { method: 'POST', body })).secret)
      await refreshList('webhooks')
    }).then((isDone) => {
      if (isDone) onClose()
    })
  }
  return (
    <Dialog title={t('settings.webhooks.add')} onClose={onClose}>
      <form className={styles['dialog']} onSubmit={save}>
        <Field label={t('settings.name')} name="name" required autoFocus />
        <Field label={t('settings.webhooks.url')} name="url" type="url" required />
        <fieldset className={styles['group']}>
          <legend className={styles['label']}>{t('settings.webhooks.events')}</legend>
          {events.map((name) => (
            <CheckBox
              key={name}
              label={name}
              isOn={chosen.includes(name)}
              onChange={(isOn) => setChosen(events.filter((one) => (one === name ? isOn : chosen.includes(one))))}
            />
          ))}
        </fieldset>
        <Refusal text={problem} />
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} blocked={chosen.length === 0 ? t('settings.needs.event') : undefined}>
            {t('settings.webhooks.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Test, switch, new secret and removal of one webhook. */
function WebhookActions({ webhook, onSecret, onRemoved }: {
  readonly webhook: WebhookBody
  readonly onSecret: (secret: string) => void
  readonly onRemoved: () => void
}): ReactNode {
  const { id, name, enabled } = webhook
  const [asked, setAsked] = useState<'rotate' | 'remove'>()
  const [tested, setTested] = useState<WebhookDeliveryBody>()
  const task = useTask()
  const { problem, isBusy, run } = task
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  const refresh = async (): Promise<void> => {
    await refreshList('webhooks')
    await refreshList('deliveries')
  }
  const test = (): void => void run(async () => {
    setTested(await callApi<WebhookDeliveryBody>(`${path}/test`, { method: 'POST' }))
    await refresh()
  })
  const toggle = (): void => void run(async () => {
    await callApi(path, { method: 'PATCH', body: { enabled: !enabled } })
    await refresh()
  }, t('settings.saved'))
  const confirm = async (action: 'rotate' | 'remove'): Promise<void> => {
    const isDone = await run(async () => {
      if (action === 'rotate') onSecret((await callApi<WebhookWithSecretBody>(`${path}/rotate-secret`, { method: 'POST' })).secret)
      else await callApi(path, { method: 'DELETE' })
      await refresh()
    }, t('settings.saved'))
    if (isDone) setAsked(undefined)
    if (isDone && action === 'remove') onRemoved()
  }
  return (
    <Section title={toVisibleText(name)}>
      <div className={styles['row']}>
        <Button isBusy={isBusy} onClick={test}>{t('settings.webhooks.test')}</Button>
        <Button onClick={toggle}>{t(enabled ? 'settings.webhooks.off' : 'settings.webhooks.on')}</Button>
        <Button onClick={() => setAsked('rotate')}>{t('settings.webhooks.rotate')}</Button>
        <Button kind="danger" onClick={() => setAsked('remove')}>{t('settings.webhooks.remove')}</Button>
      </div>
      <p role="status">
        {tested !== undefined &&
          t('settings.webhooks.tested', { status: tested.http_status === null ? (tested.error ?? '') : `HTTP ${tested.http_status}` })}
      </p>
      <Refusal text={problem} />
      {asked !== undefined && (
        <Question
          title={t(`settings.webhooks.${asked}`)}
          text={t(`settings.webhooks.${asked}.text`, { name: toVisibleText(name) })}
          confirm={t(`settings.webhooks.${asked}`)}
          task={task}
          onConfirm={() => void confirm(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  )
}
