import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTick } from '../../lib/format-time.ts'
import { unitMs } from '../../lib/time-range.ts'
import styles from './day-bars.module.css'

/** Counts of a day, in parts that are stacked from the bottom. */
type Day = { readonly time: string; readonly parts: readonly { readonly tone: string; readonly count: number }[] }

const height = 72

type DayBarsProps = {
  readonly label: string
  readonly days: readonly Day[]
  /** What the parts are, by tone; those that no day has are left out. */
  readonly legend: readonly { readonly tone: string; readonly text: string }[]
}

/** Counts by day as stacked bars with what their colours mean, and the same as a table for readers of the screen. */
export function DayBars({ label, days, legend }: DayBarsProps): ReactNode {
  const totals = days.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0))
  const max = Math.max(1, ...totals)
  const shownTones = new Set(days.flatMap(({ parts }) => parts.filter(({ count }) => count > 0).map(({ tone }) => tone)))
  return (
    <figure className={styles['figure']}>
      <div className={styles['bars']} style={{ height }} aria-hidden>
        {days.map(({ time, parts }, index) => (
          <div key={time} className={styles['day']} title={`${printDay(time)}: ${printNumber(totals[index] ?? 0)}`}>
            {parts.map(({ tone, count }) =>
              count === 0 ? null : (
                <span key={tone} className={styles['part']} data-tone={tone} style={{ height: Math.max(2, (count / max) * height) }} />
              ),
            )}
          </div>
        ))}
      </div>
      <div className={styles['ticks']} aria-hidden>
        <span>{days[0] !== undefined && printDay(days[0].time)}</span>
        <span>{days.length > 1 && printDay(days.at(-1)?.time ?? '')}</span>
      </div>
      <ul className={styles['legend']}>
        {legend.filter(({ tone }) => shownTones.has(tone)).map(({ tone, text }) => (
          <li key={tone} className={styles['entry']}>
            <span className={styles['part']} data-tone={tone} aria-hidden />
            {text}
          </li>
        ))}
      </ul>
      <table className="hidden-visually">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th>{t('portal.day')}</th>
            <th>{t('portal.count')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ time }, index) => (
            <tr key={time}>
              <td>{printDay(time)}</td>
              <td>{printNumber(totals[index] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

function printDay(time: string): string {
  return printTick(Date.parse(time), 30 * unitMs.d)
}
