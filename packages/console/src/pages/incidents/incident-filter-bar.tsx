import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { Kbd } from '../../ui/button.tsx'
import { Search } from '../../ui/icons.tsx'
import styles from './incident-filter-bar.module.css'
import { incidentSeverities, incidentStatuses } from './incident-url.ts'
import type { IncidentUrl, incidentParameters } from './incident-url.ts'

type FilterBarProps = { readonly url: IncidentUrl; readonly onChange: ChangeUrlState<typeof incidentParameters>; readonly summary: string }

/** Text, severities, states and assignee of the list, all in the address. */
export function IncidentFilterBar({ url: { q = '', severity, status, assignee }, onChange, summary }: FilterBarProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', label: t('incidents.keys.search'), run: () => input.current?.focus() }])
  // The address also changes by itself, as when somebody goes back.
  useEffect(() => {
    if (input.current !== null && document.activeElement !== input.current) input.current.value = q
  }, [q])
  return (
    <div className={styles['bar']}>
      <div className={styles['search']}>
        <Search size={14} aria-hidden />
        <input
          ref={input}
          type="search"
          aria-label={t('incidents.search')}
          placeholder={t('incidents.search')}
          defaultValue={q}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ q: event.target.value === '' ? undefined : event.target.value }, { isTyping: true })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
        <Kbd keys="/" />
      </div>
      <div className={styles['toggles']} role="group" aria-label={t('incidents.column.severity')}>
        {incidentSeverities.map((one) => (
          <Toggle key={one} isOn={severity?.includes(one) === true} onToggle={() => onChange({ severity: toggle(severity, one) })}>
            <SeverityLabel severity={one} />
          </Toggle>
        ))}
      </div>
      <div className={styles['toggles']} role="group" aria-label={t('incidents.column.status')}>
        {incidentStatuses.map((one) => (
          <Toggle key={one} isOn={status?.includes(one) === true} onToggle={() => onChange({ status: toggle(status, one) })}>
            {t(`incidents.status.${one}`)}
          </Toggle>
        ))}
      </div>
      <Toggle isOn={assignee === 'me'} onToggle={() => onChange({ assignee: assignee === 'me' ? undefined : 'me' })}>
        {t('incidents.filter.mine')}
      </Toggle>
      <span className={styles['summary']}>{summary}</span>
    </div>
  )
}

function Toggle({
  isOn,
  onToggle,
  children,
}: {
  readonly isOn: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}): ReactNode {
  return (
    <button type="button" className={styles['toggle']} aria-pressed={isOn} onClick={onToggle}>
      {children}
    </button>
  )
}

/** A filter with a word put in or taken out; undefined without words. */
function toggle<Word extends string>(words: readonly Word[] | undefined, word: Word): readonly Word[] | undefined {
  const before = words ?? []
  const next = before.includes(word) ? before.filter((one) => one !== word) : [...before, word]
  return next.length === 0 ? undefined : next
}
