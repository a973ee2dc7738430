import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { printNumber } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import styles from './bar-list.module.css'

/** A count with a name, and the search of the Alerts page that lists what was counted. */
export type BarRow = {
  readonly id: string
  readonly name: string
  readonly count: number
  readonly search: { readonly [parameter: string]: string }
  readonly label?: ReactNode
}

/** Counts as bars of the longest one's length, each a link to what it counts. */
export function BarList({ rows, printEnd }: {
  readonly rows: readonly BarRow[]
  /** What stands behind the bar of a row. */
  readonly printEnd?: (row: BarRow) => ReactNode
}): ReactNode {
  const max = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <ul className={styles['rows']}>
      {rows.map((row) => {
        const { id, name, label, count, search } = row
        return (
          <li key={id} className={styles['item']}>
            <Link to="/alerts" search={search} className={styles['row']} title={toVisibleText(name)}>
              <span className={styles['name']}>{label ?? toVisibleText(name)}</span>
              <span className={styles['track']} aria-hidden>
                {count > 0 && <span className={styles['bar']} data-id={id} style={{ width: `${(count / max) * 100}%` }} />}
              </span>
              <span className={styles['count']}>{printNumber(count)}</span>
            </Link>
            {printEnd?.(row)}
          </li>
        )
      })}
    </ul>
  )
}
