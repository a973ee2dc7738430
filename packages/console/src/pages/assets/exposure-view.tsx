import { Link } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useKeys } from '../../lib/keys.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import { AgeCell, TextCell } from '../../ui/entries/cell.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { BlindSpots, isRated, nameAsset } from './asset-columns.tsx'
import { AssetPanel } from './asset-panel.tsx'
import { useEntityRisks, useFirstAssets, useFirstFindings } from './exposure-queries.ts'
import styles from './exposure-view.module.css'

type ExposureViewProps = {
  readonly openId: string | undefined
  readonly mayEdit: boolean
  /** Opens the panel of an asset, or closes it. */
  readonly onOpen: (id: string | undefined) => void
}

/** Where the tenant is exposed: the worst assets, what can be exploited and is overdue, what is not seen, and whom alerts are about. */
export function ExposureView({ openId, mayEdit, onOpen }: ExposureViewProps): ReactNode {
  useKeys(openId === undefined ? [] : [{ keys: 'Escape', label: t('list.keys.close'), run: () => onOpen(undefined) }])
  return (
    <div className={styles['body']}>
      <div className={styles['cards']}>
        <Worst onOpen={onOpen} />
        <Overdue onOpen={onOpen} />
        <Unseen onOpen={onOpen} />
        <Alerting />
      </div>
      {openId !== undefined && <AssetPanel key={openId} id={openId} mayEdit={mayEdit} onClose={() => onOpen(undefined)} />}
    </div>
  )
}

/** The worst first. */
const byRisk = { sort: 'risk_score:desc' } as const

type CardProps = { readonly onOpen: ExposureViewProps['onOpen'] }

function Worst({ onOpen }: CardProps): ReactNode {
  const query = useFirstAssets(byRisk)
  const rated = query.data?.assets.filter(isRated) ?? []
  const none = t(query.data?.pagination.total === 0 ? 'assets.exposure.noAsset' : 'assets.exposure.worst.none')
  return (
    <Card
      title={t('assets.exposure.worst')}
      query={query}
      isEmpty={rated.length === 0}
      none={none}
      hasNext
      all={{ tab: 'list' }}
    >
      {rated.map((asset) => (
        <li key={asset.id}>
          <button type="button" className={styles['row']} onClick={() => onOpen(asset.id)}>
            <SeverityLabel severity={asset.risk_level} />
            <TextCell text={nameAsset(asset)} isStrong />
            <span className={styles['note']}>
              {asset.vulnerabilities.exploitable > 0 && t('assets.exposure.exploitable', { count: asset.vulnerabilities.exploitable })}
            </span>
            <span className={styles['number']}>{t('assets.exposure.score', { score: printNumber(asset.risk_score) })}</span>
          </button>
        </li>
      ))}
    </Card>
  )
}

function Overdue({ onOpen }: CardProps): ReactNode {
  const query = useFirstFindings({ exploitable: 'true', overdue: 'true' })
  const first = useFirstAssets(byRisk).data
  // Where nothing was scanned, nothing is known to be in time either.
  const isUnscanned = first !== undefined && !first.assets.some(isRated)
  const none = t(isUnscanned ? 'assets.exposure.unscanned' : 'assets.exposure.overdue.none')
  return (
    <Card
      title={t('assets.exposure.overdue')}
      query={query}
      count={query.data?.pagination.total}
      isEmpty={query.data?.findings.length === 0}
      none={none}
      hasNext={isUnscanned}
      all={{ tab: 'findings', exploitable: 'true', overdue: 'true' }}
    >
      {query.data?.findings.map(({ id, asset_id: asset, asset_name: name, title, severity, due_at: due }) => (
        <li key={id}>
          <button type="button" className={styles['row']} onClick={() => onOpen(asset)}>
            <SeverityLabel severity={severity} />
            <TextCell text={title} isStrong />
            <TextCell text={name} />
            <span className={styles['number']}>{due !== null && <AgeCell at={due} />}</span>
          </button>
        </li>
      ))}
    </Card>
  )
}

function Unseen({ onOpen }: CardProps): ReactNode {
  const query = useFirstAssets({ blind_spot: 'no_logs,no_scan', ...byRisk })
  const first = useFirstAssets(byRisk).data
  const none = t(first?.pagination.total === 0 ? 'assets.exposure.noAsset' : 'assets.exposure.blind.none')
  const hasRatings = query.data?.assets.some(isRated) === true
  return (
    <Card
      title={t('assets.exposure.blind')}
      query={query}
      count={query.data?.pagination.total}
      isEmpty={query.data?.assets.length === 0}
      none={none}
      all={{ tab: 'list', stale: 'no_logs,no_scan' }}
    >
      {query.data?.assets.map((asset) => (
        <li key={asset.id}>
          <button type="button" className={styles['wide']} data-unrated={!hasRatings || undefined} onClick={() => onOpen(asset.id)}>
            {hasRatings && (isRated(asset) ? <SeverityLabel severity={asset.risk_level} /> : <TextCell text="" />)}
            <TextCell text={nameAsset(asset)} isStrong />
            <span className={styles['pills']}><BlindSpots spots={asset.blind_spots} /></span>
          </button>
        </li>
      ))}
    </Card>
  )
}

/** Hosts and users by their open alerts: what is attacked, beside what could be. */
function Alerting(): ReactNode {
  const query = useEntityRisks()
  return (
    <Card
      title={t('assets.exposure.alerting')}
      query={query}
      isEmpty={query.data?.risks.length === 0}
      none={t('assets.exposure.alerting.none')}
    >
      {query.data?.risks.map(({ entity_type: type, entity, score, level, alert_count: count }) => (
        <li key={`${type} ${entity}`}>
          <Link
            to="/alerts"
            search={{ [type === 'ip' ? 'q' : type]: entity, status: 'open,investigating', from: '-90d' } as never}
            className={styles['row']}
          >
            <SeverityLabel severity={level} />
            <span className={styles['name']} title={toVisibleText(entity)}>{toVisibleText(entity)}</span>
            <span className={styles['note']}>{t('assets.alerts', { count })}</span>
            <span className={styles['number']}>{t('assets.exposure.score', { score: printNumber(score) })}</span>
          </Link>
        </li>
      ))}
    </Card>
  )
}

type Listed = {
  readonly title: string
  readonly query: Pick<UseQueryResult, 'isError' | 'error' | 'isPending' | 'refetch'>
  readonly count?: number | undefined
  readonly isEmpty: boolean
  /** Says that the list has nothing. */
  readonly none: string
  /** Whether a source is missing, and those of it are named. */
  readonly hasNext?: boolean
  /** The parameters of the page that list all. */
  readonly all?: { readonly [parameter: string]: string }
  readonly children: ReactNode
}

function Card(props: Listed): ReactNode {
  const { title, query: { isError, error, isPending, refetch }, count, isEmpty, none, hasNext = false, all, children } = props
  return (
    <section className={styles['card']} aria-label={title}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{title}</h2>
        {count !== undefined && count > 0 && <Pill tone="neutral">{printNumber(count)}</Pill>}
        {all !== undefined && !isEmpty && (
          <Link to="/assets" search={all as never} className={styles['all']}>{t('assets.exposure.all')}</Link>
        )}
      </div>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={4} />}
      {!isPending && !isError && isEmpty && (
        <p className={styles['none']}>
          {none} {hasNext && <Link to="/connectors">{t('nav.connectors')}</Link>}
        </p>
      )}
      <ul className={styles['rows']}>{children}</ul>
    </section>
  )
}
