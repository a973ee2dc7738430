import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import { printAlertFilter } from './alert-figures.ts'
import { alertSeverities, listChips } from './alert-url.ts'
import type { alertParameters, AlertUrl } from './alert-url.ts'
import styles from './filter-bar.module.css'

type FilterBarProps = {
  readonly url: AlertUrl
  readonly onChange: ChangeUrlState<typeof alertParameters>
  readonly summary: string
  /** The title of the rule that is filtered by, once an alert of it is known. */
  readonly ruleTitle: string | undefined
  readonly children: ReactNode
}

/** Text, severities and further filters of the list, all in the address. */
export function FilterBar({ url, onChange, summary, ruleTitle, children }: FilterBarProps): ReactNode {
  const { q = '', severity } = url
  const chips = listChips(url)
  return (
    <div className={styles['bar']}>
      <SearchField
        label={t('alerts.search')}
        keyLabel={t('alerts.keys.search')}
        value={q}
        onChange={(text) => onChange({ q: text }, { isTyping: true })}
        onBackspace={() => {
          const last = chips.at(-1)
          if (last !== undefined) onChange({ [last]: undefined })
        }}
      />
      <ToggleGroup label={t('alerts.column.severity')}>
        {alertSeverities.map((level) => (
          <Toggle
            key={level}
            isOn={severity?.includes(level) === true}
            onToggle={() => onChange({ severity: toggleWord(alertSeverities, severity, level) })}
          >
            <SeverityLabel severity={level} />
          </Toggle>
        ))}
      </ToggleGroup>
      {chips.map((name) => (
        <FilterChip
          key={name}
          name={t(`alerts.filter.${name}`)}
          value={[url[name] ?? ''].flat().map((value) => (name === 'rule' && ruleTitle) || printAlertFilter(name, value)).join(', ')}
          removeLabel={t('alerts.filter.remove', { name: t(`alerts.filter.${name}`) })}
          onRemove={() => onChange({ [name]: undefined })}
        />
      ))}
      {children}
      <span className={styles['summary']}>{summary}</span>
    </div>
  )
}
