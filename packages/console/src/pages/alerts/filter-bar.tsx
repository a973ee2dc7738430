import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { Kbd } from '../../ui/button.tsx'
import { Search, X } from '../../ui/icons.tsx'
import { alertSeverities, listChips } from './alert-url.ts'
import type { alertParameters, AlertUrl } from './alert-url.ts'
import styles from './filter-bar.module.css'

type FilterBarProps = {
  readonly url: AlertUrl
  readonly onChange: ChangeUrlState<typeof alertParameters>
  readonly summary: string
  readonly children: ReactNode
}

/** Text, severities and further filters of the list, all in the address. */
export function FilterBar({ url, onChange, summary, children }: FilterBarProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', label: t('alerts.keys.search'), run: () => input.current?.focus() }])
  const { q = '', severity } = url
  // The address also changes by itself, as when a view is opened.
  useEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = q
  }, [q])
  const chips = listChips(url)
  return (
    <div className={styles['bar']}>
      <div className={styles['search']}>
        <Search size={14} aria-hidden />
        <input
          ref={input}
          type="search"
          aria-label={t('alerts.search')}
          placeholder={t('alerts.search')}
          defaultValue={q}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ q: event.target.value === '' ? undefined : event.target.value }, { isTyping: true })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              // Browsers clear a search field at Escape; here it only leaves the field.
              event.preventDefault()
              event.currentTarget.blur()
            }
            const last = chips.at(-1)
            if (event.key === 'Backspace' && event.currentTarget.value === '' && last !== undefined) onChange({ [last]: undefined })
          }}
        />
        <Kbd keys="/" />
      </div>
      <div className={styles['severities']} role="group" aria-label={t('alerts.column.severity')}>
        {alertSeverities.map((level) => {
          const isOn = severity?.includes(level) === true
          const next = alertSeverities.filter((one) => (one === level ? !isOn : severity?.includes(one)))
          return (
            <button
              key={level}
              type="button"
              className={styles['severity']}
              aria-pressed={isOn}
              onClick={() => onChange({ severity: next.length === 0 ? undefined : next })}
            >
              <SeverityLabel severity={level} />
            </button>
          )
        })}
      </div>
      {chips.map((name) => (
        <span key={name} className={styles['chip']}>
          <span className={styles['chipName']}>{t(`alerts.filter.${name}`)}</span>
          <span className={styles['chipValue']}>{[url[name]].flat().join(', ')}</span>
          <button
            type="button"
            className={styles['chipRemove']}
            aria-label={t('alerts.filter.remove', { name: t(`alerts.filter.${name}`) })}
            onClick={() => onChange({ [name]: undefined })}
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      {children}
      <span className={styles['summary']}>{summary}</span>
    </div>
  )
}
