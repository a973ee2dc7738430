import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { Kbd } from '../../ui/button.tsx'
import { Search, X } from '../../ui/icons.tsx'
import styles from './rule-filter-bar.module.css'
import { listRuleChips, ruleLevels } from './rule-url.ts'
import type { RuleUrl, ruleParameters } from './rule-url.ts'

type RuleFilterBarProps = { readonly url: RuleUrl; readonly onChange: ChangeUrlState<typeof ruleParameters>; readonly summary: string }

/** Text, levels, on or off, and further filters of the list, all in the address. */
export function RuleFilterBar({ url, onChange, summary }: RuleFilterBarProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', label: t('rules.keys.search'), run: () => input.current?.focus() }])
  const { q = '', level, enabled } = url
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
          aria-label={t('rules.search')}
          placeholder={t('rules.search')}
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
          }}
        />
        <Kbd keys="/" />
      </div>
      <div className={styles['toggles']} role="group" aria-label={t('rules.column.level')}>
        {ruleLevels.map((one) => {
          const isOn = level?.includes(one) === true
          const next = ruleLevels.filter((other) => (other === one ? !isOn : level?.includes(other)))
          return (
            <button
              key={one}
              type="button"
              className={styles['toggle']}
              aria-pressed={isOn}
              onClick={() => onChange({ level: next.length === 0 ? undefined : next })}
            >
              <SeverityLabel severity={one} />
            </button>
          )
        })}
        {(['true', 'false'] as const).map((value) => (
          <button
            key={value}
            type="button"
            className={styles['toggle']}
            aria-pressed={enabled === value}
            onClick={() => onChange({ enabled: enabled === value ? undefined : value })}
          >
            {t(`rules.enabled.${value}`)}
          </button>
        ))}
      </div>
      {listRuleChips(url)
        .filter((name) => name !== 'enabled')
        .map((name) => (
          <span key={name} className={styles['chip']}>
            <span className={styles['chipName']}>{t(`rules.filter.${name}`)}</span>
            <span className={styles['chipValue']}>{[url[name]].flat().join(', ')}</span>
            <button
              type="button"
              className={styles['chipRemove']}
              aria-label={t('rules.filter.remove', { name: t(`rules.filter.${name}`) })}
              onClick={() => onChange({ [name]: undefined })}
            >
              <X size={12} aria-hidden />
            </button>
          </span>
        ))}
      <span className={styles['summary']}>{summary}</span>
    </div>
  )
}
