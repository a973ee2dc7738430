import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AlertListBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { NoneFound, WidenRange } from '../../frame/none-found.tsx'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { StateMessage } from '../../ui/state-message.tsx'
import { listChips } from './alert-url.ts'
import type { alertParameters, AlertUrl } from './alert-url.ts'
import styles from './empty-list.module.css'

type EmptyListProps = { readonly url: AlertUrl; readonly onChange: ChangeUrlState<typeof alertParameters> }

/** An empty list, with what makes it empty: each filter can be removed. */
export function EmptyList({ url, onChange }: EmptyListProps): ReactNode {
  const filters = [
    ...(url.q === undefined ? [] : ['q' as const]),
    ...(url.severity === undefined ? [] : ['severity' as const]),
    ...listChips(url),
  ]
  if (filters.length === 0) return <NoAlerts url={url} onChange={onChange} />
  return (
    <NoneFound
      none={t('alerts.none')}
      filtered={t('alerts.noneFiltered', { count: filters.length })}
      filters={Object.fromEntries(filters.map((name) => [name, url[name]]))}
      nameFilter={(name) => t(`alerts.filter.${name as (typeof filters)[number]}`)}
      onRemove={onChange}
    />
  )
}

/** A range without alerts, or a tenant that never had one. */
function NoAlerts({ url: { from, to }, onChange }: EmptyListProps): ReactNode {
  const { data: count } = useQuery({
    queryKey: ['alerts', 'any'],
    queryFn: async ({ signal }) => {
      const { pagination } = await callApi<AlertListBody>('/v1/alerts', { query: { limit: '1' }, signal })
      return pagination.total
    },
  })
  if (count !== 0) {
    return (
      <StateMessage title={t('alerts.none')}>
        <WidenRange range={{ from, to }} onChange={(range) => onChange(range)} />
      </StateMessage>
    )
  }
  return (
    <StateMessage title={t('alerts.none.yet')}>
      <div className={styles['filters']}>
        <Link to="/connectors">{t('nav.connectors')}</Link>
        <Link to="/rules">{t('nav.rules')}</Link>
      </div>
    </StateMessage>
  )
}
