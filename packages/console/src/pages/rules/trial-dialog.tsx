import { limits } from '@tripline/contract/limits'
import type { BacktestBody } from '@tripline/contract/console/backtest'
import type { RuleEntry } from '@tripline/contract/console/rule'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { toIso } from '../../lib/time-range.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { removeBacktest } from './backtest-queries.ts'
import type { NewBacktest } from './backtest-queries.ts'
import styles from './trial-dialog.module.css'
import { useBacktestRun } from './use-backtest-run.ts'

const { backtestRulesMax } = limits.rules
/** The range of the backtest: a week has weekdays and a weekend. */
const rangeMs = 7 * 86_400_000
/** Rules whose matches are listed, those with most first. */
const listedMax = 10

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
  const leave = (): void => {
    // What it finds would not be looked at.
    if (id !== undefined && isRunning) {
      removeBacktest(id).catch((problem: unknown) => showToast({ kind: 'error', text: getErrorText(problem) }))
    }
    onClose()
  }
  const percent = backtest?.progress ?? 0
  return (
    <Dialog title={t('rules.trial')} onClose={leave}>
      {isTooMany && <p className={styles['text']}>{t('rules.trial.tooMany', { max: printNumber(backtestRulesMax) })}</p>}
      {failure !== undefined && <ErrorMessage error={failure} onRetry={() => retry(list)} />}
      <div role="status">
        {isRunning && <p className={styles['text']}>{t('rules.trial.running', { count: rules.length, percent })}</p>}
        {result !== null && <Sum result={result} count={rules.length} />}
      </div>
      {isRunning && <progress value={percent} max={100} aria-label={t('rules.trial.progress')} />}
      <div className={styles['actions']}>
        <Button onClick={leave}>{t('cancel')}</Button>
        <Button kind="primary" disabled={result === null} onClick={onConfirm}>
          {t('rules.trial.confirm', { count: rules.length })}
        </Button>
      </div>
    </Dialog>
  )
}

function Sum({ result, count }: { readonly result: BacktestBody; readonly count: number }): ReactNode {
  const { matches_total: total, rules, truncated: isCut } = result
  const silent = count - rules.length
  return (
    <>
      <p className={styles['text']}>{t('rules.trial.found', { count: total, silent: printNumber(Math.max(0, silent)) })}</p>
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
    </>
  )
}
