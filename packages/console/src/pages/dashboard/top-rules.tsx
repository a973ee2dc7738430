import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { BarList } from './bar-list.tsx'
import type { BarRow } from './bar-list.tsx'
import { useFalseShares } from './dashboard-queries.ts'
import styles from './top-rules.module.css'

/** The rules that alert most, how much of that was false, and the way to tune each. */
export function TopRules({ rows }: { readonly rows: readonly BarRow[] }): ReactNode {
  const { data: shares } = useFalseShares()
  return (
    <BarList
      rows={rows}
      printEnd={({ id, name }) => (
        <span className={styles['end']}>
          <Share share={shares?.get(id)} />
          <Link
            to={`/rules/${encodeURIComponent(id)}`}
            search={{ tab: 'exceptions' }}
            aria-label={t('dashboard.tune.rule', { name: toVisibleText(name) })}
          >
            {t('dashboard.tune')}
          </Link>
        </span>
      )}
    />
  )
}

function Share({ share }: { readonly share: number | null | undefined }): ReactNode {
  if (share === undefined) return null
  return (
    <span className={styles['share']} title={t('dashboard.falseShare.title')}>
      {share === null ? t('dashboard.falseShare.none') : t('dashboard.falseShare', { percent: printNumber(share * 100, 0) })}
    </span>
  )
}
