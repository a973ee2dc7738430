import { Link } from '@tanstack/react-router'
import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { printLevel } from '../../ui/badge.tsx'
import { Monitor, User } from '../../ui/icons.tsx'
import type { Icon } from '../../ui/icons.tsx'
import styles from './entities.module.css'

/** The host and the user of an alert, with what was known about them when it was made. */
export function Entities({ alert: { event, enrichment } }: { readonly alert: AlertDetailBody }): ReactNode {
  const { asset_context: asset, user_context: user, threat_intel: intel } = enrichment
  return (
    <div className={styles['entities']}>
      <Entity
        icon={Monitor}
        label={t('alerts.column.host')}
        value={event.host}
        filter={{ host: event.host }}
        isMono
        isAsset={asset.criticality !== ''}
        facts={[
          t('alerts.entity.criticality', { level: printLevel(asset.criticality === '' ? 'unknown' : asset.criticality) }),
          asset.os,
          asset.ip,
          intel.known_malicious ? t('alerts.entity.malicious') : '',
        ]}
      />
      <Entity
        icon={User}
        label={t('alerts.column.user')}
        value={event.user}
        filter={{ user: event.user }}
        facts={[user.is_privileged ? t('alerts.entity.privileged') : t('alerts.entity.notPrivileged'), user.department]}
      />
    </div>
  )
}

function Entity({
  icon: EntityIcon,
  label,
  value,
  filter,
  facts,
  isMono = false,
  isAsset = false,
}: {
  readonly icon: Icon
  readonly label: string
  readonly value: string
  readonly filter: { readonly [name: string]: string }
  readonly facts: readonly string[]
  readonly isMono?: boolean
  /** Whether it is a known asset. */
  readonly isAsset?: boolean
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
          <Link to="/alerts" search={filter as never} className={styles['link']}>
            {t('alerts.entity.alerts')}
          </Link>
          {isAsset && (
            <Link to="/assets" search={{ q: value } as never} className={styles['link']}>
              {t('alerts.entity.asset')}
            </Link>
          )}
        </div>
      )}
    </div>
  )
}
