import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { AgeCell } from '../../ui/entries/cell.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { useChanges } from './dashboard-queries.ts'
import type { Change } from './fill-bars.ts'
import styles from './recent-changes.module.css'

const shownMax = 8

/** What people and the server changed, newest first. */
export function RecentChanges({ range }: { readonly range: TimeRange }): ReactNode {
  const { data, error, isError, refetch } = useChanges(range)
  return (
    <>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.changes.length === 0 && <p className={styles['none']}>{t('dashboard.changes.none')}</p>}
      <ul className={styles['rows']}>
        {data?.changes.slice(0, shownMax).map((change, index) => (
          <li key={`${change.at} ${index}`} className={styles['row']}>
            <span className={styles['kind']}>{t(`dashboard.change.${change.kind}`)}</span>
            <span className={styles['text']} title={printTitle(change)}>
              {change.link === null ? printTitle(change) : <Link to={change.link}>{printTitle(change)}</Link>}
            </span>
            <span className={styles['by']}>{toVisibleText(change.by ?? '')}</span>
            <AgeCell at={change.at} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** What was changed: its name, or words of the page where the server changed itself. */
export function printTitle({ kind, title }: Pick<Change, 'kind' | 'title'>): string {
  return kind === 'start' ? t('dashboard.change.started') : toVisibleText(title)
}
