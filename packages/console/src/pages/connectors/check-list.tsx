import type { ConnectorCheckBody } from '@tripline/contract/console/sources/connector'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { CircleCheck, CircleX, Clock } from '../../ui/icons.tsx'
import styles from './check-list.module.css'
import { printHealth } from './print-health.ts'

const icons = { pass: CircleCheck, warn: Clock, fail: CircleX, skip: Clock } as const

/** The checks of a connector with their outcome and what to do. */
export function CheckList({ checks }: { readonly checks: readonly ConnectorCheckBody[] }): ReactNode {
  return (
    <ul className={styles['checks']}>
      {checks.map(({ type, status, message, latency_ms: latency }) => {
        const Icon = icons[status]
        return (
          <li key={type} className={styles['check']} data-status={status}>
            <Icon size={16} aria-label={t(`connectors.check.${status}`)} />
            <span>
              <strong className={styles['name']}>{t(`connectors.checked.${type}`)}</strong> {printHealth(message)}
              {latency !== undefined && latency > 0 && (
                <span className={styles['latency']}> {t('connectors.latency', { ms: latency })}</span>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
