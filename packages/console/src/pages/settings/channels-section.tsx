import type { ChannelBody, ChannelDeliveryBody } from '@tripline/contract/console/channel'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { useMay } from '../../api/use-may.ts'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Plus } from '../../ui/icons.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { ChannelDeliveries } from './channel-deliveries.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { ChannelRoutes } from './channel-routes.tsx'
import styles from './forms.module.css'
import { PlainTable, Section, Time } from './parts.tsx'
import { refreshList, useList } from './settings-queries.ts'

/** Where people are notified, which events go there, and what was sent. */
export function ChannelsSection(): ReactNode {
  const mayEdit = useMay('edit_webhooks')
  const { data, error, refetch } = useList<{ readonly channels: readonly ChannelBody[] }>('channels', '/v1/channels')
  const [isAdding, setIsAdding] = useState(false)
  const [openId, setOpenId] = useState<string>()
  const channels = data?.channels ?? []
  const open = channels.find(({ id }) => id === openId)
  return (
    <>
      <Section title={t('settings.channels')} hint={t('channels.hint')}>
        {mayEdit && (
          <div className={styles['row']}>
            <Button kind="primary" icon={Plus} onClick={() => setIsAdding(true)}>
              {t('channels.add')}
            </Button>
          </div>
        )}
        {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {data?.channels.length === 0 && <p className={styles['note']}>{t('channels.none')}</p>}
        {channels.length > 0 && (
          <PlainTable
            label={t('settings.channels')}
            heads={[
              t('settings.name'), t('channels.type'), t('channels.target'), t('settings.state'), t('channels.last'), t('settings.actions'),
            ]}
          >
            {channels.map((channel) => (
              <tr key={channel.id}>
                <td>{toVisibleText(channel.name)}</td>
                <td>{t(`channels.type.${channel.settings.type}`)}</td>
                <td>{describeTarget(channel)}</td>
                <td>
                  <Pill tone={channel.enabled ? 'ok' : 'neutral'}>{t(channel.enabled ? 'settings.active' : 'settings.inactive')}</Pill>
                  {channel.skipped_count > 0 && (
                    <p className={styles['note']}>{t('channels.skipped', { count: channel.skipped_count })}</p>
                  )}
                </td>
                <td><Time at={channel.last_delivery_at} /></td>
                <td>
                  <div className={styles['cells']}>
                    <Button isPressed={channel.id === openId} onClick={() => setOpenId(channel.id === openId ? undefined : channel.id)}>
                      {t('channels.open')}
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
          {mayEdit && <ChannelActions key={open.id} channel={open} onRemoved={() => setOpenId(undefined)} />}
          <ChannelDeliveries key={`${open.id} deliveries`} channel={open} />
        </>
      )}
      <ChannelRoutes channels={channels} mayEdit={mayEdit} />
      {isAdding && <ChannelDialog channel={undefined} onClose={() => setIsAdding(false)} />}
    </>
  )
}

/** Where a channel leads, as far as it is no secret. */
function describeTarget({ settings }: ChannelBody): string {
  if (settings.type === 'email') return toVisibleText(settings.to.join(', '))
  return settings.type === 'pagerduty' ? toVisibleText(settings.url) : t('channels.target.secret')
}

/** Test, change, switch and removal of one channel. */
function ChannelActions({ channel, onRemoved }: { readonly channel: ChannelBody; readonly onRemoved: () => void }): ReactNode {
  const { id, name, enabled } = channel
  const [asked, setAsked] = useState<'edit' | 'remove'>()
  const [tested, setTested] = useState<ChannelDeliveryBody>()
  const task = useTask()
  const { problem, isBusy, run } = task
  const path = `/v1/channels/${encodeURIComponent(id)}`
  const refresh = async (): Promise<void> => {
    await refreshList('channels')
    await refreshList('channel deliveries')
  }
  const test = (): void => void run(async () => {
    setTested(undefined)
    setTested(await callApi<ChannelDeliveryBody>(`${path}/test`, { method: 'POST' }))
    await refresh()
  })
  const toggle = (): void => void run(async () => {
    await callApi(path, { method: 'PATCH', body: { enabled: !enabled } })
    await refresh()
  }, t('settings.saved'))
  const remove = async (): Promise<void> => {
    const isDone = await run(async () => {
      await callApi(path, { method: 'DELETE' })
      await refresh()
    }, t('settings.saved'))
    if (isDone) onRemoved()
  }
  return (
    <Section title={toVisibleText(name)}>
      <div className={styles['row']}>
        <Button kind="primary" isBusy={isBusy} onClick={test}>{t('channels.test')}</Button>
        <Button onClick={() => setAsked('edit')}>{t('settings.edit')}</Button>
        <Button onClick={toggle}>{t(enabled ? 'channels.off' : 'channels.on')}</Button>
        <Button kind="danger" onClick={() => setAsked('remove')}>{t('channels.remove')}</Button>
      </div>
      <p role="status">{tested !== undefined && describeTest(tested)}</p>
      {asked === undefined && <Refusal text={problem} />}
      {asked === 'edit' && <ChannelDialog channel={channel} onClose={() => setAsked(undefined)} />}
      {asked === 'remove' && (
        <Question
          title={t('channels.remove.title')}
          text={t('channels.remove.text', { name: toVisibleText(name) })}
          confirm={t('channels.remove')}
          task={task}
          onConfirm={() => void remove()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  )
}

function describeTest({ status, error, response_code: code }: ChannelDeliveryBody): string {
  if (status === 'delivered') return t('channels.test.done')
  const said = error ?? ''
  const answer = code === null || said.includes(String(code)) ? '' : ` (${code})`
  return t('channels.test.failed', { problem: `${said}${answer}` })
}
