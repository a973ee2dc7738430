import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { Kbd } from '../../ui/button.tsx'
import { Search } from '../../ui/icons.tsx'
import styles from './query-bar.module.css'
import type { QueryMistake } from './query-language.ts'

type QueryBarProps = {
  /** The query of the address. */
  readonly query: string
  /** What is wrong with a query; undefined until the language is loaded. */
  readonly check: ((text: string) => QueryMistake | undefined) | undefined
  /** Searches; `isTyping` where the user has only paused. */
  readonly onSearch: (text: string, isTyping: boolean) => void
  readonly summary: ReactNode
}

/** How long the user must pause before the text is checked and searched for. */
const pauseMs = 400

/** The query with the place of its error below it; a query with an error is not sent. */
export function QueryBar({ query, check, onSearch, summary }: QueryBarProps): ReactNode {
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
    if (draft === sent.current || check === undefined) return undefined
    const timer = setTimeout(() => latest.current(draft, true), pauseMs)
    return () => clearTimeout(timer)
  }, [draft, check])
  useKeys([{ keys: '/', label: t('search.keys.query'), run: () => input.current?.focus() }])
  const problem = draft === checked ? check?.(draft) : undefined
  return (
    <div className={styles['bar']}>
      <div className={styles['search']}>
        <Search size={14} aria-hidden />
        <input
          ref={input}
          type="search"
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
            // A text that is again the one searched for is right as it is.
            if (target.value === sent.current) setChecked(target.value)
          }}
          onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollLeft)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') submit(draft, false)
            else if (event.key === 'Escape') {
              // Browsers clear a search field at Escape; here it only leaves the field.
              event.preventDefault()
              event.currentTarget.blur()
            }
          }}
        />
        <Kbd keys="/" />
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
