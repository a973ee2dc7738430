import type { BacktestBody } from '@tripline/contract/console/backtest'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../../api/client.ts'
import { printNumber, t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { resolveRange, toIso } from '../../../lib/time-range.ts'
import type { TimeRange } from '../../../lib/time-range.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import type { Severity } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Histogram } from '../../../ui/histogram.tsx'
import { Play } from '../../../ui/icons.tsx'
import { ErrorMessage, StateMessage } from '../../../ui/state-message.tsx'
import { TimePicker } from '../../../ui/time-picker.tsx'
import { toRulePath } from './authoring-queries.ts'
import styles from './backtest-pane.module.css'

type BacktestPaneProps = {
  readonly id: string
  readonly text: string
  /** Whether the text differs from the stored one, which is then compared with it. */
  readonly isChanged: boolean
  readonly isStored: boolean
  readonly severity: Severity
  readonly range: TimeRange
  readonly onRange: (range: TimeRange) => void
}

type Run =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly stop: AbortController }
  | { readonly kind: 'done'; readonly result: BacktestBody }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Runs the text over stored events: how often it would have matched, on whom, and what a change adds and drops. */
export function BacktestPane(props: BacktestPaneProps): ReactNode {
  const { id, text, isChanged, isStored, severity, range, onRange } = props
  const [run, setRun] = useState<Run>({ kind: 'none' })
  const start = async (): Promise<void> => {
    const stop = new AbortController()
    setRun({ kind: 'running', stop })
    const ends = resolveRange(range, Date.now())
    const body = {
      from: toIso(ends.from), to: toIso(ends.to),
      ...((isChanged || !isStored) && { definition: text }),
      ...(isChanged && isStored && { compare: true }),
    }
    try {
      const result = await callApi<BacktestBody>(`${toRulePath(id)}/backtest`, { method: 'POST', body, signal: stop.signal })
      setRun({ kind: 'done', result })
    } catch (error) {
      setRun(stop.signal.aborted ? { kind: 'none' } : { kind: 'failed', error })
    }
  }
  return (
    <div className={styles['pane']}>
      <div className={styles['line']}>
        <TimePicker range={range} onChange={onRange} />
        <Button icon={Play} isBusy={run.kind === 'running'} onClick={() => void start()}>
          {t(isChanged && isStored ? 'rule.backtest.compare' : 'rule.backtest.run')}
        </Button>
        {run.kind === 'running' && <Button kind="ghost" onClick={() => run.stop.abort()}>{t('cancel')}</Button>}
      </div>
      {run.kind === 'none' && <StateMessage title={t('rule.backtest.none')} />}
      {run.kind === 'running' && <StateMessage title={t('rule.backtest.running')} />}
      {run.kind === 'failed' && <ErrorMessage error={run.error} onRetry={() => void start()} />}
      {run.kind === 'done' && <Result result={run.result} severity={severity} onRange={onRange} />}
    </div>
  )
}

type ResultProps = { readonly result: BacktestBody; readonly severity: Severity; readonly onRange: (range: TimeRange) => void }

function Result({ result, severity, onRange }: ResultProps): ReactNode {
  const { histogram, comparison, examples } = result
  const bars = histogram.map(({ time, count }) => ({ at: Date.parse(time), count, parts: { [severity]: count } }))
  const barMs = bars[0] === undefined || bars[1] === undefined ? 0 : bars[1].at - bars[0].at
  return (
    <>
      <p className={styles['figure']} role="status">
        {t('rule.backtest.found', { count: result.matches_total, events: result.events_evaluated, took: printNumber(result.took_ms, 0) })}
      </p>
      {result.truncated && <p className={styles['warning']}>{t('rule.backtest.truncated')}</p>}
      {bars.length > 1 && (
        <Histogram
          bars={bars}
          barMs={barMs}
          onZoom={(from, to) => onRange({ from: toIso(from), to: toIso(to) })}
          onZoomOut={() => onRange({ from: undefined, to: undefined })}
        />
      )}
      {comparison !== null && (
        <div className={styles['both']}>
          <Examples title={t('rule.backtest.added', { count: comparison.added.total })} matches={comparison.added.examples} />
          <Examples title={t('rule.backtest.gone', { count: comparison.gone.total })} matches={comparison.gone.examples} />
        </div>
      )}
      <div className={styles['both']}>
        <Counts title={t('rule.backtest.hosts')} values={result.hosts} />
        <Counts title={t('rule.backtest.users')} values={result.users} />
        <Counts title={t('rule.backtest.processes')} values={result.processes} />
      </div>
      <Examples title={t('rule.backtest.examples')} matches={examples} />
    </>
  )
}

function Counts({ title, values }: { readonly title: string; readonly values: BacktestBody['hosts'] }): ReactNode {
  if (values.length === 0) return null
  return (
    <section>
      <h3 className={styles['title']}>{title}</h3>
      <ul className={styles['counts']}>
        {values.map(({ value, count }) => (
          <li key={value}>
            <span className={styles['value']} title={toVisibleText(value)}>{toVisibleText(value)}</span>
            <span>{printNumber(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Examples({ title, matches }: { readonly title: string; readonly matches: BacktestBody['examples'] }): ReactNode {
  return (
    <section>
      <h3 className={styles['title']}>{title}</h3>
      <ul className={styles['examples']}>
        {matches.map(({ timestamp: at, event }, index) => (
          <li key={index}>
            <time dateTime={at}>{printTime(at)}</time>
            <span className={styles['value']}>{toVisibleText([event.host, event.user].filter(Boolean).join(' · '))}</span>
            <code className={styles['command']}>{toVisibleText(event.command_line || event.process_name)}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
