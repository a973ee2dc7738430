import { Link } from '@tanstack/react-router'
import type { RuleDetail } from '@tripline/contract/console/rule'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../../api/api-error.ts'
import { useUser } from '../../../api/use-user.ts'
import { PageHead } from '../../../frame/page-head.tsx'
import { useUrlState } from '../../../frame/use-url-state.ts'
import { t } from '../../../i18n/translate.ts'
import { useKeys } from '../../../lib/keys.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Button } from '../../../ui/button.tsx'
import { ChevronLeft } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/loading/lazy-part.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { showToast } from '../../../ui/toast-store.ts'
import { EditorPane } from '../../../workbench/editor-pane.tsx'
import type { EditorPlace } from '../../../workbench/editor.tsx'
import { ProblemList } from '../../../workbench/problem-list.tsx'
import { TestPane } from '../../../workbench/test-pane.tsx'
import { useRuleCheck } from '../../../workbench/use-rule-check.ts'
import { WordedSwitch } from '../rule-switch.tsx'
import { newRule, readMatchedEvents, readRecentEvents, saveRule, useCompileContext } from './authoring-queries.ts'
import { keepDraft, readDraft } from './draft-store.ts'
import { printWarnings } from './print-warnings.ts'
import { readSaveProblems } from './read-save-problems.ts'
import type { SaveProblems } from './read-save-problems.ts'
import styles from './rule-editor.module.css'
import { rulePageParameters, ruleTabs } from './rule-page-url.ts'

// What stands behind the other tabs is no part of the first page.
const BacktestPane = lazyPart(async () => (await import('./backtest-pane.tsx')).BacktestPane)
const ExceptionsPane = lazyPart(async () => (await import('./exceptions-pane.tsx')).ExceptionsPane)
const LeaveGuard = lazyPart(async () => (await import('./leave-guard.tsx')).LeaveGuard)
const HealthPane = lazyPart(async () => (await import('./health-pane.tsx')).HealthPane)
const HistoryPane = lazyPart(async () => (await import('./history/history-pane.tsx')).HistoryPane)

type RuleEditorProps = {
  readonly id: string
  /** The stored rule; undefined for a new one. */
  readonly rule: RuleDetail | undefined
  /** The text to begin with, where no draft is kept. */
  readonly initial: string
  readonly mayEdit: boolean
  /** What a new rule was begun from: each beginning has a draft of its own. */
  readonly source?: string
  /** Events to test with at first. */
  readonly events?: string | undefined
  readonly notice?: string | undefined
  /** The new rule is stored; `events` is what it was tested with. */
  readonly onCreated?: (id: string, events: string) => void
}

const nothing: readonly never[] = []

/** The text of a rule beside what it does: checked by the engine in the page at each change, saved by the server. */
export function RuleEditor({ id, rule, initial, mayEdit, source = '', events: given = '', notice, onCreated }: RuleEditorProps): ReactNode {
  const { tenant_id: tenant } = useUser()
  const key = `${tenant}.${id}${source}`
  const [{ tab = 'test', line, version, against, from, to, backtest }, setUrl] = useUrlState(rulePageParameters)
  const [text, setText] = useState(() => readDraft(key) ?? initial)
  const [events, setEvents] = useState(given)
  const [shown, setShown] = useState(0)
  const [place, setPlace] = useState<EditorPlace | undefined>(line === undefined ? undefined : { line: Number(line) || 1, column: 1 })
  const [refused, setRefused] = useState<SaveProblems>()
  const [isSaving, setIsSaving] = useState(false)
  const [refersTo, setRefersTo] = useState<readonly string[]>(nothing)
  const context = useCompileContext(id, refersTo)
  const rules = useMemo(() => context.data?.rules.map(({ text: definition }) => ({ text: definition })) ?? nothing, [context.data])
  const { filters = nothing, pipelines = nothing } = context.data ?? {}
  const { state, engine } = useRuleCheck({ text, filters, pipelines, rules, events, shown })
  const named = state.check?.refersTo.join()
  useEffect(() => {
    if (named !== undefined) setRefersTo(named === '' ? nothing : named.split(','))
  }, [named])
  const stored = rule?.definition
  const isChanged = text !== stored
  const base = stored ?? initial
  const isDirty = text !== base
  // The text that was saved last: until the rule is read again, it differs from what is known of it.
  const saved = useRef<string>(undefined)
  useEffect(() => keepDraft(key, isDirty ? text : undefined), [key, text, isDirty])
  const save = async (isForced: boolean): Promise<void> => {
    setIsSaving(true)
    setRefused(undefined)
    try {
      const { id: savedId, version: number, warnings: noted } = await saveRule(id, { definition: text, etag: rule?.etag, isForced })
      saved.current = text
      keepDraft(key, undefined)
      showToast({ kind: 'notice', text: `${t('rule.saved', { version: String(number) })} ${printWarnings(noted)}`.trim() })
      onCreated?.(savedId, events)
    } catch (error) {
      const problems = readSaveProblems(error)
      setRefused(problems)
      const [first] = problems.problems
      if (first !== undefined) setPlace({ line: first.line, column: first.column })
    }
    setIsSaving(false)
  }
  const goTo = (next: EditorPlace): void => {
    setPlace(next)
    setUrl({ line: String(next.line) }, { isReplacing: true })
  }
  const take = async (read: () => Promise<string>, none: string): Promise<void> => {
    try {
      const found = await read()
      if (found === '') showToast({ kind: 'notice', text: none })
      else setEvents(found)
    } catch (error) {
      showToast({ kind: 'error', text: getErrorText(error) })
    }
  }
  const takeRecent = (): Promise<string> => readRecentEvents(rule?.required_fields.map(({ field }) => field) ?? nothing)
  const maySave = mayEdit && isChanged && !isSaving
  useKeys([
    { keys: 'Mod+s', label: t('rule.keys.save'), isGlobal: true, run: () => void (maySave && save(false)) },
    ...ruleTabs.map((one, index) => ({
      keys: String(index + 1), label: t('rule.keys.tab', { tab: t(`rule.tab.${one}`) }), run: () => setUrl({ tab: one }),
    })),
  ])
  const tabs = (rule === undefined ? (['test', 'backtest'] as const) : ruleTabs).map((one) => ({ id: one, label: t(`rule.tab.${one}`) }))
  const title = rule?.title ?? t('rule.new')
  return (
    <>
      <PageHead title={toVisibleText(title)}>{rule !== undefined && <WordedSwitch rule={rule} mayEdit={mayEdit} />}</PageHead>
      <Tabs
        label={t('rule.tabs')}
        tabs={tabs}
        current={tab}
        onChoose={(next) => setUrl({ tab: next })}
        end={
          <div className={styles['actions']}>
            <Link to="/rules" className={styles['back']}>
              <ChevronLeft size={14} aria-hidden />
              {t('rules.title')}
            </Link>
            {mayEdit && rule !== undefined && (
              <Link to="/rules/$id" params={{ id: newRule } as never} search={{ clone: id } as never} className={styles['back']}>
                {t('rule.clone')}
              </Link>
            )}
            {isDirty && <Button onClick={() => setText(base)}>{t('rule.discard')}</Button>}
            {mayEdit && (
              <Button kind="primary" keys="Mod+s" disabled={!maySave} isBusy={isSaving} onClick={() => void save(false)}>
                {t('rule.save')}
              </Button>
            )}
          </div>
        }
      />
      {notice !== undefined && <p className={styles['notice']} role="status">{notice}</p>}
      {isDirty && <p className={styles['notice']} role="status">{t('rule.unsaved')}</p>}
      <LeaveGuard hasChanges={() => isDirty && text !== saved.current} onDiscard={() => keepDraft(key, undefined)} />
      {refused !== undefined && (
        <div className={styles['refused']} role="alert">
          <p>{toVisibleText(t(refused.isStale ? 'rule.stale' : 'rule.refused', { problem: refused.message }))}</p>
          <ProblemList findings={refused.problems} title={t('rule.refusedPlaces')} onGoTo={goTo} />
          {refused.isForcible && <Button onClick={() => void save(true)}>{t('rule.force')}</Button>}
        </div>
      )}
      <div className={styles['body']} data-compared={(tab === 'history' && version !== undefined) || undefined}>
        <EditorPane text={text} onChange={setText} isReadOnly={!mayEdit} state={state} engine={engine} place={place} />
        <section className={styles['side']} aria-label={t(`rule.tab.${tab}`)}>
          {tab === 'test' && (
            <TestPane
              state={state}
              events={events}
              onEvents={setEvents}
              shown={shown}
              onShown={setShown}
              onGoTo={goTo}
              actions={
                <>
                  <Button onClick={() => void take(takeRecent, t('rule.noRecent'))}>{t('rule.takeRecent')}</Button>
                  {rule !== undefined && (
                    <Button onClick={() => void take(() => readMatchedEvents(id), t('rule.noMatches'))}>{t('rule.takeMatches')}</Button>
                  )}
                </>
              }
            />
          )}
          {tab === 'backtest' && (
            <BacktestPane
              id={id}
              text={text}
              isChanged={isChanged}
              isStored={rule !== undefined}
              severity={rule?.severity_raw ?? rule?.level ?? 'medium'}
              range={{ from, to }}
              onRange={(range) => setUrl({ from: range.from, to: range.to })}
              shown={backtest}
              onShown={(next) => setUrl({ backtest: next })}
            />
          )}
          {tab === 'health' && rule !== undefined && <HealthPane rule={rule} />}
          {tab === 'exceptions' && rule !== undefined && <ExceptionsPane rule={rule} mayEdit={mayEdit} />}
          {tab === 'history' && rule !== undefined && (
            <HistoryPane
              id={id}
              etag={rule.etag}
              text={text}
              version={version}
              against={against === version ? undefined : against}
              onCompare={setUrl}
              mayEdit={mayEdit}
              onRestored={setText}
            />
          )}
        </section>
      </div>
    </>
  )
}
