import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { IconButton } from '../button.tsx'
import type { Bar, Series } from './bars.ts'
import styles from './histogram.module.css'
import { Table2 } from '../icons.tsx'

/** The bars of a histogram as a table, those without anything left out. */
export function BarTable({ label, bars, series, onClose }: {
  readonly label: string
  readonly bars: readonly Bar[]
  readonly series: readonly Series[]
  readonly onClose: () => void
}): ReactNode {
  const shown = series.filter(({ key }) => bars.some(({ parts }) => (parts[key] ?? 0) > 0))
  return (
    <div className={styles['histogram']}>
      <div className={styles['tableBox']} tabIndex={0} role="region" aria-label={label}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th>{t('histogram.time')}</th>
              {shown.map(({ key, label }) => (
                <th key={key}>{label}</th>
              ))}
              <th>{t('histogram.total')}</th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ count }) => count > 0)
              .map(({ at, count, parts }) => (
                <tr key={at}>
                  <td>{printTime(at)}</td>
                  {shown.map(({ key }) => (
                    <td key={key}>{printNumber(parts[key] ?? 0)}</td>
                  ))}
                  <td>{printNumber(count)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      <span className={styles['switch']}>
        <IconButton icon={Table2} label={t('histogram.chart')} isPressed onClick={onClose} />
      </span>
    </div>
  )
}
