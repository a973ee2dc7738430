import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { FilterRow } from '../../ui/filters/filter-row.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { printAlertFilter } from './alert-figures.ts'
import { alertSeverities, listChips } from './alert-url.ts'
import type { alertParameters, AlertUrl, AlertChip } from './alert-url.ts'

// What chooses another value is no part of the first page.
const FilterEditor = lazyPart(async () => (await import('./filter-editor.tsx')).FilterEditor)

type FilterBarProps = {
  readonly url: AlertUrl
  readonly onChange: ChangeUrlState<typeof alertParameters>
  readonly summary: string
  /** The title of the rule that is filtered by, once an alert of it is known. */
  readonly ruleTitle: string | undefined
  /** The query of the list without one of its filters: what that may be changed to. */
  readonly toQueryWithout: (filter: AlertChip) => Readonly<Record<string, string>>
  readonly children: ReactNode
}

/** Text, severities and further filters of the list, all in the address. */
export function FilterBar({ url, onChange, summary, ruleTitle, toQueryWithout, children }: FilterBarProps): ReactNode {
  const { q = '', severity } = url
  return (
    <FilterRow summary={summary}>
      <SearchField
        label={t('alerts.search')}
        keyLabel={t('alerts.keys.search')}
        value={q}
        onChange={(text) => onChange({ q: text }, { isTyping: true })}
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
      {listChips(url).map((filter) => {
        const name = t(`alerts.filter.${filter}`)
        const values = [url[filter] ?? ''].flat()
        return (
          <FilterChip
            key={filter}
            name={name}
            value={(filter === 'rule' && ruleTitle) || values.map((value) => printAlertFilter(filter, value)).join(', ')}
            editLabel={t('filters.edit', { name })}
            removeLabel={t('filters.remove', { name })}
            onRemove={() => onChange({ [filter]: undefined })}
          >
            {(close) => <FilterEditor {...{ filter, url, onChange, parameters: toQueryWithout(filter), close }} />}
          </FilterChip>
        )
      })}
      {children}
    </FilterRow>
  )
}
