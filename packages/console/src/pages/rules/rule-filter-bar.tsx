import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { FacetMenu } from '../../ui/filters/facet-menu.tsx'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { FilterRow } from '../../ui/filters/filter-row.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { printRuleFilter, useRuleFacets } from './rule-facets.ts'
import { listRuleChips, ruleLevels, ruleParameters, toRuleQuery } from './rule-url.ts'
import type { RuleUrl } from './rule-url.ts'

// What chooses another value is no part of the first page.
const RuleFilterEditor = lazyPart(async () => (await import('./rule-filter-editor.tsx')).RuleFilterEditor)

type RuleFilterBarProps = { readonly url: RuleUrl; readonly onChange: ChangeUrlState<typeof ruleParameters>; readonly summary: string }

/** Text, levels, on or off, and further filters of the list, all in the address. */
export function RuleFilterBar({ url, onChange, summary }: RuleFilterBarProps): ReactNode {
  const { q = '', level, enabled } = url
  return (
    <FilterRow summary={summary}>
      <SearchField
        label={t('rules.search')}
        keyLabel={t('rules.keys.search')}
        value={q}
        onChange={(text) => onChange({ q: text }, { isTyping: true })}
      />
      <ToggleGroup label={t('rules.column.level')}>
        {ruleLevels.map((one) => (
          <Toggle key={one} isOn={level?.includes(one) === true} onToggle={() => onChange({ level: toggleWord(ruleLevels, level, one) })}>
            <SeverityLabel severity={one} />
          </Toggle>
        ))}
        {(['true', 'false'] as const).map((value) => (
          <Toggle
            key={value}
            isOn={enabled === value}
            onToggle={() => onChange({ enabled: enabled === value ? undefined : value })}
          >
            {t(`rules.enabled.${value}`)}
          </Toggle>
        ))}
      </ToggleGroup>
      {listRuleChips(url).map((filter) => {
        const name = t(`rules.filter.${filter}`)
        return (
          <FilterChip
            key={filter}
            name={name}
            value={[url[filter] ?? []].flat().map((value) => printRuleFilter(filter, value)).join(', ')}
            editLabel={t('filters.edit', { name })}
            removeLabel={t('filters.remove', { name })}
            onRemove={() => onChange({ [filter]: undefined })}
          >
            {(close) => <RuleFilterEditor {...{ filter, url, onChange, close }} />}
          </FilterChip>
        )
      })}
      <FacetMenu
        label={t('rules.filter.add')}
        useFacets={() => useRuleFacets(toRuleQuery(url))}
        onChoose={(name, value) => onChange({ [name]: ruleParameters[name].parse(value) })}
      />
    </FilterRow>
  )
}
