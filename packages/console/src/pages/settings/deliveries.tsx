import type { WebhookBody, WebhookDeliveryBody } from '@tripline/contract/console/webhook'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { unitMs } from '../../lib/time-range.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { LongValue } from '../../ui/long-value.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './forms.module.css'
import { PlainTable, Section, Time } from './parts.tsx'
import { refreshList, useList } from './settings-queries.ts'

type DeliveryList = { readonly deliveries: readonly WebhookDeliveryBody[] }

const tones: { readonly [status in WebhookDeliveryBody['status']]: Tone } = {
  pending: 'neutral', delivered: 'ok', failed: 'bad', canceled: 'neutral',
}

/** What was sent to a webhook and what came of it; one delivery or a range of time can be sent again. */
export function Deliveries({ webhook: { id, name }, mayEdit }: { readonly webhook: WebhookBody; readonly mayEdit: boolean }): ReactNode {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  const { data, error, refetch } = useList<DeliveryList>('deliveries', `${path}/deliveries`, { limit: '50' })
  const [openId, setOpenId] = useState<string>()
  const { problem, isBusy, run } = useTask()
  const redeliver = (delivery: string): void => void run(async () => {
    await callApi(`${path}/deliveries/${encodeURIComponent(delivery)}/redeliver`, { method: 'POST' })
    await refreshList('deliveries')
  }, t('settings.deliveries.queued', { count: 1 }))
  return (
    <Section title={t('settings.deliveries', { name })}>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <Refusal text={problem} />
      {mayEdit && <Replay path={path} />}
      {data?.deliveries.length === 0 && <p className={styles['note']}>{t('settings.deliveries.none')}</p>}
      {data !== undefined && data.deliveries.length > 0 && (
        <PlainTable
          label={t('settings.deliveries', { name })}
          heads={[
            t('settings.deliveries.at'), t('settings.deliveries.event'), t('settings.state'),
            t('settings.deliveries.answer'), t('settings.actions'),
          ]}
        >
          {data.deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <td><Time at={delivery.created_at} /></td>
              <td>{delivery.event}</td>
              <td><Pill tone={tones[delivery.status]}>{t(`settings.deliveries.status.${delivery.status}`)}</Pill></td>
              <td>
                {delivery.http_status === null ? (delivery.error ?? '') : `HTTP ${delivery.http_status}`}
                {delivery.id === openId && <LongValue value={delivery.request_body} />}
              </td>
              <td>
                <div className={styles['cells']}>
                  <Button isPressed={delivery.id === openId} onClick={() => setOpenId(delivery.id === openId ? undefined : delivery.id)}>
                    {t('settings.deliveries.show')}
                  </Button>
                  {mayEdit && <Button isBusy={isBusy} onClick={() => redeliver(delivery.id)}>{t('settings.deliveries.again')}</Button>}
                </div>
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
    </Section>
  )
}

/** Sends everything of the last hours again, which also sends what was skipped. */
function Replay({ path }: { readonly path: string }): ReactNode {
  const { problem, isBusy, run } = useTask()
  const [queued, setQueued] = useState<number>()
  const replay = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const hours = Number(readForm(event.currentTarget)('hours'))
    const now = Date.now()
    const body = { from: new Date(now - hours * unitMs.h).toISOString(), to: new Date(now).toISOString() }
    void run(async () => {
      setQueued((await callApi<{ readonly queued: number }>(`${path}/replay`, { method: 'POST', body })).queued)
      await refreshList('deliveries')
    })
  }
  return (
    <form className={styles['row']} onSubmit={replay}>
      <Field label={t('settings.deliveries.hours')} name="hours" type="number" min={1} max={168} defaultValue={24} required />
      <Button type="submit" isBusy={isBusy}>{t('settings.deliveries.replay')}</Button>
      <p role="status">{queued !== undefined && t('settings.deliveries.queued', { count: queued })}</p>
      <Refusal text={problem} />
    </form>
  )
}
