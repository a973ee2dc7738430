import { useId } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../i18n/translate.ts'
import { toVisibleText } from '../lib/visible-text.ts'
import { Pill } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { ExplainTree } from '../ui/explain-tree.tsx'
import { ChevronLeft, ChevronRight, CircleCheck, CircleX } from '../ui/icons.tsx'
import type { RuleCheck } from './check-rule.ts'
import type { EditorPlace } from './editor.tsx'
import { ProblemList } from './problem-list.tsx'
import styles from './test-pane.module.css'
import type { RuleCheckState } from './use-rule-check.ts'

type TestPaneProps = {
  readonly state: RuleCheckState
  readonly events: string
  readonly onEvents: (text: string) => void
  /** Which of the events is explained. */
  readonly shown: number
  readonly onShown: (index: number) => void
  readonly onGoTo: (place: EditorPlace) => void
  /** Where else events come from. */
  readonly actions?: ReactNode
}

/** What the rule makes of events, while it is being written: verdict, tree, tests of its text, and its problems. */
export function TestPane({ state, events, onEvents, shown, onShown, onGoTo, actions }: TestPaneProps): ReactNode {
  const id = useId()
  const { check, error, tookMs } = state
  const eventProblem = check?.eventProblem
  return (
    <div className={styles['pane']}>
      {error !== undefined && <p className={styles['error']} role="alert">{t('workbench.failed', { problem: error })}</p>}
      {check !== undefined && <Verdict check={check} shown={shown} onShown={onShown} tookMs={tookMs} />}
      {check?.explanation !== undefined && <ExplainTree node={check.explanation} />}
      <div className={styles['events']}>
        <div className={styles['line']}>
          <label htmlFor={id} className={styles['title']}>{t('workbench.events')}</label>
          {actions}
        </div>
        <textarea
          id={id}
          className={styles['input']}
          rows={9}
          spellCheck={false}
          placeholder={t('workbench.eventsHint')}
          value={events}
          aria-invalid={eventProblem !== undefined || undefined}
          aria-describedby={`${id}-note`}
          onChange={({ target }) => onEvents(target.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape') currentTarget.blur()
          }}
        />
        <p id={`${id}-note`} className={styles['note']} data-wrong={eventProblem !== undefined || undefined}>
          {eventProblem !== undefined && t('workbench.eventProblem', { line: eventProblem.line, problem: eventProblem.message })}
        </p>
      </div>
      {check !== undefined && check.tests.length > 0 && <Tests tests={check.tests} onGoTo={onGoTo} />}
      {check !== undefined && <ProblemList findings={check.findings} onGoTo={onGoTo} />}
    </div>
  )
}

type VerdictProps = Pick<TestPaneProps, 'shown' | 'onShown'> & { readonly check: RuleCheck; readonly tookMs: number }

function Verdict({ check, shown, onShown, tookMs }: VerdictProps): ReactNode {
  const { isCompiled, results, eventCount } = check
  const index = Math.min(shown, Math.max(0, results.length - 1))
  const result = results[index]
  const matching = results.flatMap(({ isMatch }, at) => (isMatch ? [at + 1] : []))
  const matches = matching.length
  // What an event does to a correlation stands in the tree; the verdict is that of all of them.
  const isMatch = check.isCorrelation ? matches > 0 : result?.isMatch === true
  return (
    <div className={styles['verdict']} role="status">
      <div className={styles['line']}>
        {!isCompiled && <Pill tone="bad">{t('workbench.broken')}</Pill>}
        {result !== undefined && (isMatch
          ? <Pill tone="ok">{t('workbench.matches')}</Pill>
          : <Pill tone="neutral">{t('workbench.noMatch')}</Pill>)}
        {isCompiled && eventCount === 0 && <Pill tone="accent">{t('workbench.compiles')}</Pill>}
        {results.length > 1 && (
          <>
            <IconButton icon={ChevronLeft} label={t('workbench.previousEvent')} disabled={index === 0} onClick={() => onShown(index - 1)} />
            <span className={styles['count']}>{t('workbench.eventOf', { index: index + 1, total: results.length, matches })}</span>
            <IconButton
              icon={ChevronRight}
              label={t('workbench.nextEvent')}
              disabled={index + 1 >= results.length}
              onClick={() => onShown(index + 1)}
            />
          </>
        )}
        <span className={styles['took']}>{t('workbench.took', { ms: printNumber(tookMs, 0) })}</span>
      </div>
      {check.isCorrelation && matches > 0 && (
        <p className={styles['hint']}>{t('workbench.completedBy', { events: matching.join(', ') })}</p>
      )}
      {result?.hint !== undefined && <p className={styles['hint']}>{toVisibleText(result.hint)}</p>}
      {result?.isOfNoLogsource === true && <p className={styles['hint']}>{t('workbench.noLogsource')}</p>}
    </div>
  )
}

function Tests({ tests, onGoTo }: { readonly tests: RuleCheck['tests']; readonly onGoTo: (place: EditorPlace) => void }): ReactNode {
  const failed = tests.filter(({ failure }) => failure !== undefined).length
  return (
    <section>
      <h3 className={styles['title']}>{t('workbench.tests', { count: tests.length, failed })}</h3>
      <ul className={styles['tests']}>
        {tests.map(({ name, line, failure }, index) => (
          <li key={index} data-failed={failure !== undefined || undefined}>
            {failure === undefined
              ? <CircleCheck size={14} aria-label={t('workbench.passed')} />
              : <CircleX size={14} aria-label={t('workbench.failedTest')} />}
            <button type="button" className={styles['link']} onClick={() => onGoTo({ line, column: 1 })}>{toVisibleText(name)}</button>
            {failure !== undefined && <p className={styles['failure']}>{toVisibleText(failure)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
