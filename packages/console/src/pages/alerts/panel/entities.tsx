import { Link } from '@tanstack/react-router'
import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { printLevel } from '../../../ui/badge.tsx'
import { Monitor, User } from '../../../ui/icons.tsx'
import type { Icon } from '../../../ui/icons.tsx'
import styles from './entities.module.css'

type Known = NonNullable<AlertContextBody['entities']>

type EntitiesProps = {
  readonly alert: AlertDetailBody
  /** What is known of them now; undefined until it is read. */
  readonly known: Known | undefined
}

/** The host and the user of an alert: what was known when it was made, and what else came since and was decided. */
export function Entities({ alert: { event, enrichment }, known }: EntitiesProps): ReactNode {
  const { asset_context: asset, user_context: user, threat_intel: intel } = enrichment
  const assetId = known?.host?.asset_id ?? undefined
  return (
    <div className={styles['entities']}>
      <Entity
        icon={Monitor}
        label={t('alerts.column.host')}
        value={event.host}
        filter={{ host: event.host }}
        isMono
        asset={assetId === undefined ? (asset.criticality === '' ? undefined : { q: event.host }) : { asset: assetId }}
        facts={[
          t('alerts.entity.criticality', { level: printLevel(asset.criticality === '' ? 'unknown' : asset.criticality) }),
          asset.os,
          asset.ip,
          intel.known_malicious ? t('alerts.entity.malicious') : '',
          known?.host?.owner ?? '',
          ...printFigures(known?.host),
        ]}
      />
      <Entity
        icon={User}
        label={t('alerts.column.user')}
        value={event.user}
        filter={{ user: event.user }}
        facts={[
          user.is_privileged ? t('alerts.entity.privileged') : t('alerts.entity.notPrivileged'),
          user.department,
          ...printFigures(known?.user),
        ]}
      />
    </div>
  )
}

/** How many alerts of an entity are open, and what was decided about those of the same rule. */
function printFigures(entity: Known['host'] | Known['user'] | undefined): readonly string[] {
  if (entity === null || entity === undefined) return []
  const { open_alerts: open, verdicts } = entity
  const decided = (['true_positive', 'false_positive', 'benign'] as const).filter((verdict) => verdicts[verdict] > 0)
  const words = decided.map((verdict) => t(`alerts.entity.verdict.${verdict}`, { count: verdicts[verdict] }))
  const before = words.length === 0 ? [] : [t('alerts.entity.before', { verdicts: words.join(', ') })]
  return [t('alerts.entity.open', { count: open }), ...before]
}

function Entity({
  icon: EntityIcon,
  label,
  value,
  filter,
  facts,
  isMono = false,
  asset,
}: {
  readonly icon: Icon
  readonly label: string
  readonly value: string
  readonly filter: { readonly [name: string]: string }
  readonly facts: readonly string[]
  readonly isMono?: boolean
  /** Where the page of assets shows it, if it is a known one. */
  readonly asset?: { readonly [parameter: string]: string } | undefined
}): ReactNode {
  return (
    <div className={styles['entity']}>
      <div className={styles['label']}>
        <EntityIcon size={14} aria-hidden />
        {label}
      </div>
      {value === '' ? (
        <div className={styles['none']}>{t('alerts.entity.none')}</div>
      ) : (
        <div className={isMono ? styles['mono'] : styles['value']}>{toVisibleText(value)}</div>
      )}
      {value !== '' && (
        <div className={styles['facts']}>
          {facts
            .filter((fact) => fact !== '')
            .map((fact) => (
              <span key={fact}>{toVisibleText(fact)}</span>
            ))}
        </div>
      )}
      {value !== '' && (
        <div className={styles['facts']}>
          <Link to="/alerts" search={filter as never} className={styles['link']}>
            {t('alerts.entity.alerts')}
          </Link>
          {asset !== undefined && (
            <Link to="/assets" search={asset as never} className={styles['link']}>
              {t('alerts.entity.asset')}
            </Link>
          )}
        </div>
      )}
    </div>
  )
}
