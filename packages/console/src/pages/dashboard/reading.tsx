import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTick, printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { severities } from '../../ui/badge.tsx'
import type { Bar } from '../../ui/charts/bars.ts'
import type { Change, Strip } from './fill-bars.ts'
import { printTitle } from './recent-changes.tsx'
import styles from './reading.module.css'

/** Changes that are named; the others are counted. */
const namedMax = 2

/** What happened in the time that is pointed at, in a line that is always there: alerts, events and changes. */
export function Reading({ bar, barMs, strip }: {
  readonly bar: Bar | undefined
  readonly barMs: number
  readonly strip: Strip | undefined
}): ReactNode {
  return (
    <p className={styles['reading']}>
      {bar === undefined || strip === undefined ? t('dashboard.reading.hint') : (
        <>
          <strong>{printTime(bar.at)} – {printTick(bar.at + barMs, 0)}</strong>
          <span>{listAlerts(bar)}</span>
          {strip.rate !== undefined && <span>{t('dashboard.reading.rate', { rate: printNumber(strip.rate) })}</span>}
          {strip.changes.slice(0, namedMax).map((change, index) => <span key={index}>{printChange(change)}</span>)}
          {strip.changes.length > namedMax && <span>{t('dashboard.reading.more', { count: strip.changes.length - namedMax })}</span>}
        </>
      )}
    </p>
  )
}

function listAlerts({ count, parts }: Bar): string {
  const found = severities.filter((severity) => (parts[severity] ?? 0) > 0)
  const named = found.map((severity) => `${printNumber(parts[severity] ?? 0)} ${t(`severity.${severity}`)}`)
  return `${t('dashboard.reading.alerts', { count })}${named.length === 0 ? '' : ` (${named.join(', ')})`}`
}

function printChange(change: Change): string {
  const what = `${t(`dashboard.change.${change.kind}`)}: ${printTitle(change)}`
  return change.by === null ? what : `${what} (${toVisibleText(change.by)})`
}
