import type { BacktestBody, BacktestJobBody } from '@tripline/contract/console/backtest'
import type { ReactNode } from 'react'
import { printTook } from '../../../i18n/print-took.ts'
import { printNumber, t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { resolveRange, toIso } from '../../../lib/time-range.ts'
import type { TimeRange } from '../../../lib/time-range.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import type { Severity } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Histogram } from '../../../ui/charts/histogram.tsx'
import { Play } from '../../../ui/icons.tsx'
import { ErrorMessage, StateMessage } from '../../../ui/state-message.tsx'
import { TimePicker } from '../../../ui/time-picker.tsx'
import { useBacktests } from '../backtest-queries.ts'
import type { NewBacktest } from '../backtest-queries.ts'
import { useBacktestRun } from '../use-backtest-run.ts'
import { exceptHost, mayHaveExceptions, readHost } from '../except-host.ts'
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
  /** The id of the backtest that is shown. */
  readonly shown: string | undefined
  readonly onShown: (id: string | undefined) => void
}

/** Earlier backtests that are listed. */
const earlierMax = 10

/** Runs the text over stored events: how often it would have matched, on whom, and what a change adds and drops. */
export function BacktestPane(props: BacktestPaneProps): ReactNode {
  const { id, text, isChanged, isStored, severity, range, onRange, shown, onShown } = props
  const { backtest, result, failure, isRefused, isAsking, isRunning, begin, stop, retry } = useBacktestRun(shown, onShown)
  const ask = (): NewBacktest => {
    const ends = resolveRange(range, Date.now())
    return {
      from: toIso(ends.from), to: toIso(ends.to),
      ...(isStored && { rule_ids: [id] }),
      ...((isChanged || !isStored) && { definition: text }),
      ...(isChanged && isStored && { compare: true }),
    }
  }
  return (
    <div className={styles['pane']}>
      <div className={styles['line']}>
        <TimePicker range={range} onChange={onRange} />
        <Button icon={Play} isBusy={isAsking || isRunning} onClick={() => void begin(ask())}>
          {t(isChanged && isStored ? 'rule.backtest.compare' : 'rule.backtest.run')}
        </Button>
        {isRunning && <Button kind="ghost" onClick={() => void stop()}>{t('cancel')}</Button>}
      </div>
      {failure !== undefined && <ErrorMessage error={failure} onRetry={() => retry(ask)} />}
      {shown === undefined && !isRefused && <StateMessage title={t('rule.backtest.none')} />}
      {isRunning && backtest !== undefined && <Progress status={backtest.status} percent={backtest.progress} />}
      {backtest !== undefined && result !== null && (
        <Result
          backtest={backtest}
          result={result}
          text={text}
          severity={severity}
          onRange={onRange}
          onExcept={(host) => void begin(exceptHost(backtest, host))}
        />
      )}
      {isStored && <Earlier ruleId={id} shown={shown} onShown={onShown} />}
    </div>
  )
}

function Progress({ status, percent }: { readonly status: BacktestJobBody['status']; readonly percent: number }): ReactNode {
  const label = status === 'queued' ? t('rule.backtest.waits') : t('rule.backtest.running', { percent: printNumber(percent) })
  return (
    <div className={styles['progress']}>
      <p role="status">{label}</p>
      <progress value={percent} max={100} aria-label={t('rule.backtest.progress')} />
      <p className={styles['hint']}>{t('rule.backtest.leave')}</p>
    </div>
  )
}

type EarlierProps = { readonly ruleId: string; readonly shown: string | undefined; readonly onShown: (id: string | undefined) => void }

/** The backtests of the rule that the server keeps. */
function Earlier({ ruleId, shown, onShown }: EarlierProps): ReactNode {
  const { data = [] } = useBacktests(ruleId)
  const others = data.filter(({ id }) => id !== shown)
  if (others.length === 0) return null
  return (
    <section>
      <h3 className={styles['title']}>{t('rule.backtest.earlier')}</h3>
      <ul className={styles['earlier']}>
        {others.slice(0, earlierMax).map(({ id, requested_at: at, requested_by: by, from, to, status }) => (
          <li key={id}>
            <Button kind="ghost" onClick={() => onShown(id)}>{printTime(at)}</Button>
            <span>{t('rule.backtest.range', { from: printTime(from), to: printTime(to) })}</span>
            <span className={styles['hint']}>{toVisibleText(by)}</span>
            <span className={styles['hint']}>{t(`rule.backtest.status.${status}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ResultProps = {
  readonly backtest: BacktestJobBody
  readonly result: BacktestBody
  readonly severity: Severity
  readonly onRange: (range: TimeRange) => void
  /** The text in the editor, which is that of a backtest of the stored rule. */
  readonly text: string
  readonly onExcept: (host: string) => void
}

function Result({ backtest, result, text, severity, onRange, onExcept }: ResultProps): ReactNode {
  const { histogram, comparison, examples } = result
  const bars = histogram.map(({ time, count }) => ({ at: Date.parse(time), count, parts: { [severity]: count } }))
  const barMs = bars[0] === undefined || bars[1] === undefined ? 0 : bars[1].at - bars[0].at
  return (
    <>
      <p className={styles['figure']} role="status">
        {t('rule.backtest.found', { count: result.matches_total, events: result.events_evaluated, took: printTook(result.took_ms) })}
      </p>
      <Excepted backtest={backtest} result={result} />
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
        <Counts title={t('rule.backtest.hosts')} values={result.hosts} {...(mayHaveExceptions(backtest, text) && { onExcept })} />
        <Counts title={t('rule.backtest.users')} values={result.users} />
        <Counts title={t('rule.backtest.processes')} values={result.processes} />
      </div>
      <Examples title={t('rule.backtest.examples')} matches={examples} />
    </>
  )
}

/** Which hosts the backtest had exceptions for, and what these leave of the stored rule. */
function Excepted({ backtest, result }: Pick<ResultProps, 'backtest' | 'result'>): ReactNode {
  const { exceptions, definition } = backtest
  if (exceptions.length === 0) return null
  const { comparison, matches_total: count } = result
  const stored = definition === null ? comparison?.stored_matches_total : undefined
  const hosts = exceptions.map(readHost).join(', ')
  return (
    <p className={styles['hint']}>
      {toVisibleText(t('rule.backtest.excepted', { hosts }))}
      {' '}
      {stored !== undefined && t('rule.backtest.left', { count, total: printNumber(stored) })}
    </p>
  )
}

type CountsProps = {
  readonly title: string
  readonly values: BacktestBody['hosts']
  /** Tries the rule without a value. */
  readonly onExcept?: (value: string) => void
}

function Counts({ title, values, onExcept }: CountsProps): ReactNode {
  if (values.length === 0) return null
  return (
    <section>
      <h3 className={styles['title']}>{title}</h3>
      <ul className={styles['counts']}>
        {values.map(({ value, count }) => (
          <li key={value}>
            <span className={styles['value']} title={toVisibleText(value)}>{toVisibleText(value)}</span>
            <span>{printNumber(count)}</span>
            {onExcept !== undefined && (
              <Button
                kind="ghost"
                aria-label={toVisibleText(t('rule.backtest.exceptHost', { host: value }))}
                onClick={() => onExcept(value)}
              >
                {t('rule.backtest.except')}
              </Button>
            )}
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
