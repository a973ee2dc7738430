import type { ChannelBody, ChannelRouteBody } from '@tripline/contract/console/channel'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Plus } from '../../ui/icons.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { ChannelRouteDialog } from './channel-route-dialog.tsx'
import styles from './forms.module.css'
import { PlainTable, Section } from './parts.tsx'
import { refreshList, useList } from './settings-queries.ts'

type Asked = { readonly action: 'edit' | 'remove'; readonly route: ChannelRouteBody } | { readonly action: 'add' }

/** Which events go to which channels, and when. */
export function ChannelRoutes({ channels, mayEdit }: { readonly channels: readonly ChannelBody[]; readonly mayEdit: boolean }): ReactNode {
  const { data, error, refetch } = useList<{ readonly routes: readonly ChannelRouteBody[] }>('channel routes', '/v1/channel-routes')
  const [asked, setAsked] = useState<Asked>()
  const task = useTask()
  const { problem, isBusy, run } = task
  const close = (): void => setAsked(undefined)
  const pathOf = ({ id }: ChannelRouteBody): string => `/v1/channel-routes/${encodeURIComponent(id)}`
  const toggle = (route: ChannelRouteBody): void => void run(async () => {
    await callApi(pathOf(route), { method: 'PATCH', body: { enabled: !route.enabled } })
    await refreshList('channel routes')
  }, t('settings.saved'))
  const remove = async (route: ChannelRouteBody): Promise<void> => {
    const isDone = await run(async () => {
      await callApi(pathOf(route), { method: 'DELETE' })
      await refreshList('channel routes')
    }, t('settings.saved'))
    if (isDone) close()
  }
  return (
    <Section title={t('routes')} hint={t('routes.hint')}>
      {mayEdit && (
        <div className={styles['row']}>
          <Button
            icon={Plus}
            blocked={channels.length === 0 ? t('routes.needsChannel') : undefined}
            onClick={() => setAsked({ action: 'add' })}
          >
            {t('routes.add')}
          </Button>
        </div>
      )}
      {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {asked === undefined && <Refusal text={problem} />}
      {data?.routes.length === 0 && (
        <p className={styles['note']}>{t('routes.none')} {channels.length === 0 && t('routes.needsChannel')}</p>
      )}
      {data !== undefined && data.routes.length > 0 && (
        <PlainTable
          label={t('routes')}
          heads={[
            t('settings.name'), t('routes.events'), t('routes.channels'), t('routes.terms'), t('settings.state'), t('settings.actions'),
          ]}
        >
          {data.routes.map((route) => (
            <tr key={route.id}>
              <td>{toVisibleText(route.name)}</td>
              <td>{route.events.map((event) => t(`routes.event.${event}`)).join(', ')}</td>
              <td>{route.channel_ids.map((id) => nameChannel(channels, id)).join(', ')}</td>
              <td>{describeTerms(route, channels).map((line) => <p key={line} className={styles['note']}>{line}</p>)}</td>
              <td><Pill tone={route.enabled ? 'ok' : 'neutral'}>{t(route.enabled ? 'settings.active' : 'settings.inactive')}</Pill></td>
              <td>
                {mayEdit && (
                  <div className={styles['cells']}>
                    <Button onClick={() => setAsked({ action: 'edit', route })}>{t('settings.edit')}</Button>
                    <Button isBusy={isBusy} onClick={() => toggle(route)}>{t(route.enabled ? 'channels.off' : 'channels.on')}</Button>
                    <Button kind="danger" onClick={() => setAsked({ action: 'remove', route })}>{t('channels.remove')}</Button>
                  </div>
                )}
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
      {asked !== undefined && asked.action !== 'remove' && (
        <ChannelRouteDialog route={asked.action === 'edit' ? asked.route : undefined} channels={channels} onClose={close} />
      )}
      {asked?.action === 'remove' && (
        <Question
          title={t('routes.remove.title')}
          text={t('routes.remove.text', { name: toVisibleText(asked.route.name) })}
          confirm={t('channels.remove')}
          task={task}
          onConfirm={() => void remove(asked.route)}
          onClose={close}
        />
      )}
    </Section>
  )
}

function nameChannel(channels: readonly ChannelBody[], id: string): string {
  return toVisibleText(channels.find((channel) => channel.id === id)?.name ?? id)
}

/** What holds messages of a route back, and who else gets them, a line each. */
function describeTerms(route: ChannelRouteBody, channels: readonly ChannelBody[]): readonly string[] {
  const { filter, quiet_hours: quiet, throttle_minutes: throttle, digest_minutes: digest, escalation } = route
  return [
    ...(filter === null ? [] : [t('routes.terms.filter')]),
    ...(quiet === null ? [] : [t('routes.terms.quiet', { from: quiet.from, to: quiet.to })]),
    ...(throttle === 0 ? [] : [t('routes.terms.throttle', { count: throttle })]),
    ...(digest === 0 ? [] : [t('routes.terms.digest', { count: digest })]),
    ...(escalation === null ? [] : [t('routes.terms.escalation', {
      count: escalation.after_minutes, channels: escalation.channel_ids.map((id) => nameChannel(channels, id)).join(', '),
    })]),
  ]
}
