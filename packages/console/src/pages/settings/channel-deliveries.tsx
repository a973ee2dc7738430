import type { ChannelBody, ChannelDeliveryBody } from '@tripline/contract/console/channel'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Select } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './forms.module.css'
import { PlainTable, Section, Time } from './parts.tsx'
import { useList } from './settings-queries.ts'

const tones: { readonly [status in ChannelDeliveryBody['status']]: Tone } = {
  pending: 'accent', delivered: 'ok', failed: 'bad', canceled: 'neutral',
}
const statuses = ['all', 'pending', 'delivered', 'failed', 'canceled'] as const

/** What was sent to a channel, and what came of it: the newest fifty. */
export function ChannelDeliveries({ channel: { id, name } }: { readonly channel: ChannelBody }): ReactNode {
  const [status, setStatus] = useState<(typeof statuses)[number]>('all')
  const query = { limit: '50', ...(status !== 'all' && { status }) }
  const { data, error, refetch } = useList<{ readonly deliveries: readonly ChannelDeliveryBody[] }>(
    'channel deliveries', `/v1/channels/${encodeURIComponent(id)}/deliveries`, query, id,
  )
  const title = t('channels.deliveries', { name: toVisibleText(name) })
  return (
    <Section title={title} hint={t('channels.deliveries.hint')}>
      <div className={styles['row']}>
        <Select
          label={t('settings.state')}
          value={status}
          options={statuses.map((value) => ({ value, label: t(`channels.status.${value}`) }))}
          onChange={setStatus}
        />
      </div>
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.deliveries.length === 0 && <p className={styles['note']}>{t('channels.deliveries.none')}</p>}
      {data !== undefined && data.deliveries.length > 0 && (
        <PlainTable
          label={title}
          heads={[
            t('channels.at'), t('channels.message'), t('channels.reason'), t('settings.state'),
            t('channels.attempts'), t('channels.answer'),
          ]}
        >
          {data.deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <td><Time at={delivery.created_at} /></td>
              <td>
                {toVisibleText(delivery.title)}
                {delivery.notice_count > 1 && <p className={styles['note']}>{t('channels.notices', { count: delivery.notice_count })}</p>}
              </td>
              <td>{t(`channels.reason.${delivery.reason}`)}</td>
              <td>
                <Pill tone={tones[delivery.status]}>{t(`channels.status.${delivery.status}`)}</Pill>
                {delivery.next_attempt_at !== null && (
                  <p className={styles['note']}>
                    {t('channels.due')} <Time at={delivery.next_attempt_at} />
                  </p>
                )}
              </td>
              <td>{delivery.attempt}</td>
              <td>{describeAnswer(delivery)}</td>
            </tr>
          ))}
        </PlainTable>
      )}
    </Section>
  )
}

function describeAnswer({ response_code: code, error, response_snippet: snippet }: ChannelDeliveryBody): string {
  const said = error ?? snippet
  // What went wrong names the code already.
  return toVisibleText([code === null || said.includes(String(code)) ? '' : String(code), said].filter((text) => text !== '').join(' '))
}
