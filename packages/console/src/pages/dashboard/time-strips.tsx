import type { PointerEvent, ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import type { Strip } from './fill-bars.ts'
import styles from './time-strips.module.css'

const height = 26

/** Events and changes over time, as wide as the alerts above them. The list of changes on the page says them in words. */
export function TimeStrips({ strips, cursor, onCursor }: {
  readonly strips: readonly Strip[]
  readonly cursor: number | undefined
  readonly onCursor: (index: number | undefined) => void
}): ReactNode {
  const most = Math.max(0, ...strips.map(({ rate = 0 }) => rate))
  const percent = 100 / Math.max(1, strips.length)
  const changeCount = strips.reduce((sum, { changes }) => sum + changes.length, 0)
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * strips.length)
    onCursor(index >= 0 && index < strips.length ? index : undefined)
  }
  return (
    <div className={styles['strips']}>
      <div className={styles['lines']} onPointerMove={point} onPointerLeave={() => onCursor(undefined)}>
        <div className={styles['rates']} role="img" aria-label={t('dashboard.strip.rates', { max: printNumber(most) })}>
          <svg className={styles['bars']} viewBox={`0 0 ${Math.max(1, strips.length)} ${height}`} preserveAspectRatio="none" aria-hidden>
            {strips.map(({ rate = 0 }, index) => {
              const size = rate === 0 ? 0 : Math.max(1, (rate / most) * height)
              return size === 0 ? null : <rect key={index} x={index + 0.1} width={0.8} y={height - size} height={size} />
            })}
          </svg>
          <span className={styles['name']} aria-hidden>{t('dashboard.strip.events')}</span>
        </div>
        <div className={styles['changes']} role="img" aria-label={t('dashboard.strip.changes', { count: changeCount })}>
          {strips.map(({ changes: [first, ...others] }, index) => (
            first === undefined ? null : (
              <span
                key={index}
                className={styles['mark']}
                data-kind={others.some(({ kind }) => kind !== first.kind) ? undefined : first.kind}
                style={{ left: `${(index + 0.5) * percent}%` }}
              />
            )
          ))}
          <span className={styles['name']} aria-hidden>{t('dashboard.strip.marks')}</span>
        </div>
        {cursor !== undefined && <div className={styles['cursor']} style={{ left: `${cursor * percent}%`, width: `${percent}%` }} />}
      </div>
    </div>
  )
}
