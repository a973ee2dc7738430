import { limits } from '@tripline/contract/limits'
import type { BacktestBody, BacktestJobBody } from '@tripline/contract/console/backtest'
import type { RuleEntry } from '@tripline/contract/console/rule'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { enRuleParts } from '../../i18n/en/rule-parts.ts'
import { addTexts, printNumber, t } from '../../i18n/translate.ts'
import { toIso } from '../../lib/time-range.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { exceptHost, readHost } from './except-host.ts'
import { removeBacktest } from './backtest-queries.ts'
import type { NewBacktest } from './backtest-queries.ts'
import styles from './trial-dialog.module.css'
import { useBacktestRun } from './use-backtest-run.ts'

// They are no part of the first page.
addTexts(enRuleParts)

const { backtestRulesMax } = limits.rules
/** The range of the backtest: a week has weekdays and a weekend. */
const rangeMs = 7 * 86_400_000
/** Rules whose matches are listed, those with most first. */
const listedMax = 10

/** Hosts that are named, those with most matches first. */
const hostsMax = 3

type TrialDialogProps = {
  readonly rules: readonly Pick<RuleEntry, 'id'>[]
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Runs one backtest over rules that are off, and says what they would have found before they are switched on. */
export function TrialDialog({ rules, onConfirm, onClose }: TrialDialogProps): ReactNode {
  const isTooMany = rules.length > backtestRulesMax
  const [id, setId] = useState<string>()
  const { backtest, result, failure, isRunning, begin, retry } = useBacktestRun(id, setId)
  const list = useCallback((): NewBacktest => {
    const to = Date.now()
    return { rule_ids: rules.map((rule) => rule.id), from: toIso(to - rangeMs), to: toIso(to) }
  }, [rules])
  const hasBegun = useRef(false)
  useEffect(() => {
    if (isTooMany || hasBegun.current) return
    hasBegun.current = true
    void begin(list())
  }, [isTooMany, begin, list])
  /** Ends a backtest whose result would not be looked at. */
  const end = (): void => {
    if (id === undefined || !isRunning) return
    removeBacktest(id).catch((problem: unknown) => showToast({ kind: 'error', text: getErrorText(problem) }))
  }
  const leave = (): void => {
    end()
    onClose()
  }
  const confirm = (): void => {
    end()
    onConfirm()
  }
  const percent = backtest?.progress ?? 0
  return (
    <Dialog title={t('rules.trial')} onClose={leave}>
      {isTooMany && <p className={styles['text']}>{t('rules.trial.tooMany', { max: printNumber(backtestRulesMax) })}</p>}
      {failure !== undefined && <ErrorMessage error={failure} onRetry={() => retry(list)} />}
      <div role="status" className={styles['sum']}>
        {isRunning && <p className={styles['text']}>{t('rules.trial.running', { count: rules.length, percent })}</p>}
        {backtest !== undefined && result !== null && (
          <Sum backtest={backtest} result={result} count={rules.length} onExcept={(host) => void begin(exceptHost(backtest, host))} />
        )}
      </div>
      {isRunning && <progress value={percent} max={100} aria-label={t('rules.trial.progress')} />}
      <div className={styles['actions']}>
        <Button onClick={leave}>{t('cancel')}</Button>
        {result === null && <Button onClick={confirm}>{t('rules.trial.without')}</Button>}
        <Button kind="primary" disabled={result === null} onClick={confirm}>
          {t('rules.trial.confirm', { count: rules.length })}
        </Button>
      </div>
    </Dialog>
  )
}

type SumProps = {
  readonly backtest: BacktestJobBody
  readonly result: BacktestBody
  /** Rules that were tried. */
  readonly count: number
  /** Tries them without the events of a host. */
  readonly onExcept: (host: string) => void
}

function Sum({ backtest: { exceptions }, result, count, onExcept }: SumProps): ReactNode {
  const { matches_total: total, rules, hosts, comparison, truncated: isCut } = result
  const silent = count - rules.length
  const mayExcept = exceptions.length < limits.rules.exceptionsMax
  return (
    <>
      <p className={styles['text']}>{t('rules.trial.found', { count: total, silent: printNumber(Math.max(0, silent)) })}</p>
      {exceptions.length > 0 && (
        <p className={styles['text']}>
          {toVisibleText(t('rules.trial.excepted', { hosts: exceptions.map(readHost).join(', ') }))}
          {' '}
          {comparison !== null && t('rules.trial.before', { count: comparison.stored_matches_total })}
        </p>
      )}
      {isCut && <p className={styles['warning']}>{t('rules.trial.truncated')}</p>}
      <ul className={styles['rules']}>
        {rules.slice(0, listedMax).map(({ id, title, matches_total: matches }) => (
          <li key={id}>
            <span className={styles['title']}>{toVisibleText(title)}</span>
            <span>{printNumber(matches)}</span>
          </li>
        ))}
      </ul>
      {rules.length > listedMax && <p className={styles['text']}>{t('rules.trial.others', { count: rules.length - listedMax })}</p>}
      {hosts.length > 0 && (
        <section aria-label={t('rules.trial.hosts')}>
          <h3 className={styles['heading']}>{t('rules.trial.hosts')}</h3>
          <ul className={styles['rules']}>
            {hosts.slice(0, hostsMax).map(({ value, count: matches }) => (
              <li key={value} className={styles['host']}>
                <span className={styles['title']}>{toVisibleText(value)}</span>
                <span>{printNumber(matches)}</span>
                {mayExcept && (
                  <Button
                    kind="ghost"
                    aria-label={toVisibleText(t('rules.trial.exceptHost', { host: value }))}
                    onClick={() => onExcept(value)}
                  >
                    {t('rules.trial.except')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
