import type { Completion } from '@tripline/query'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { useKeys } from '../../../lib/keys.ts'
import { Kbd } from '../../../ui/button.tsx'
import { Search } from '../../../ui/icons.tsx'
import styles from './query-bar.module.css'
import type { QueryMistake } from './query-language.ts'
import { Suggestions } from './suggestions.tsx'
import { useCompletion } from './use-completion.ts'

type QueryBarProps = {
  /** The query of the address. */
  readonly query: string
  /** What is wrong with a query; undefined until the language is loaded. */
  readonly check: ((text: string) => QueryMistake | undefined) | undefined
  /** What may follow at a cursor; undefined until language and fields are loaded. */
  readonly suggest: ((text: string, cursor: number) => Completion) | undefined
  /** Called when the person turns to the field. */
  readonly onFocus: () => void
  /** Searches; `isTyping` where the user has only paused. */
  readonly onSearch: (text: string, isTyping: boolean) => void
  readonly summary: ReactNode
}

/** How long the user must pause before the text is checked and searched for. */
const pauseMs = 400

/** The query with the place of its error below it; a query with an error is not sent. */
export function QueryBar({ query, check, suggest, onFocus, onSearch, summary }: QueryBarProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState(query)
  const [checked, setChecked] = useState(query)
  const [scrolled, setScrolled] = useState(0)
  const sent = useRef(query)
  // The address also changes by itself, as when the user goes back or narrows the query by a value.
  useEffect(() => {
    if (sent.current === query) return
    sent.current = query
    setDraft(query)
    setChecked(query)
  }, [query])
  const listId = useId()
  const completion = useCompletion({
    draft, suggest,
    onTake: (text, cursor) => {
      setDraft(text)
      // The field has the text after this render.
      requestAnimationFrame(() => input.current?.setSelectionRange(cursor, cursor))
    },
  })
  const isOpen = completion.suggestions.length > 0
  const submit = (text: string, isTyping: boolean): void => {
    setChecked(text)
    if (check === undefined || check(text) !== undefined) return
    sent.current = text
    onSearch(text, isTyping)
  }
  const latest = useRef(submit)
  useEffect(() => {
    latest.current = submit
  })
  useEffect(() => {
    // Choosing from the list does not submit the search.
    if (draft === sent.current || check === undefined || completion.active !== undefined) return undefined
    const timer = setTimeout(() => latest.current(draft, true), pauseMs)
    return () => clearTimeout(timer)
  }, [draft, check, completion.active])
  useKeys([{ keys: '/', label: t('search.keys.query'), run: () => input.current?.focus() }])
  const problem = draft === checked && completion.active === undefined ? check?.(draft) : undefined
  return (
    <div className={styles['bar']}>
      <div className={styles['search']}>
        <Search size={14} aria-hidden />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={completion.active === undefined ? undefined : `${listId}-${completion.active}`}
          aria-label={t('search.query')}
          placeholder={t('search.placeholder')}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby="search-note"
          value={draft}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={({ target }) => {
            setDraft(target.value)
            completion.open(target.selectionStart ?? target.value.length)
            // A text that is again the one searched for is right as it is.
            if (target.value === sent.current) setChecked(target.value)
          }}
          onFocus={onFocus}
          onBlur={completion.close}
          onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollLeft)}
          onKeyDown={(event) => {
            if (completion.pressKey(event)) return
            if (event.key === 'Enter') submit(draft, false)
            else if (event.key === 'Escape') {
              // Browsers clear a search field at Escape; here it only leaves the field.
              event.preventDefault()
              event.currentTarget.blur()
            }
          }}
        />
        <Kbd keys="/" />
        {isOpen && <Suggestions id={listId} suggestions={completion.suggestions} active={completion.active} onTake={completion.take} />}
      </div>
      <div className={styles['caretLine']} aria-hidden>
        {problem !== undefined && (
          <span className={styles['moved']} style={{ left: -scrolled }}>
            <span className={styles['before']}>{draft.slice(0, problem.position)}</span>
            <span className={styles['caret']}>{'^'.repeat(Math.min(problem.length, Math.max(1, draft.length - problem.position)))}</span>
          </span>
        )}
      </div>
      <div id="search-note" className={styles['note']}>
        {problem === undefined ? (
          <span role="status">{summary}</span>
        ) : (
          <span role="alert" className={styles['problem']}>
            {t('search.problem', { column: problem.column, problem: problem.message })}
          </span>
        )}
      </div>
    </div>
  )
}
