import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { FacetMenu } from '../../ui/filters/facet-menu.tsx'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import styles from './rule-filter-bar.module.css'
import { printRuleFilter, useRuleFacets } from './rule-facets.ts'
import { listRuleChips, ruleLevels, ruleParameters, toRuleQuery } from './rule-url.ts'
import type { RuleUrl } from './rule-url.ts'

type RuleFilterBarProps = { readonly url: RuleUrl; readonly onChange: ChangeUrlState<typeof ruleParameters>; readonly summary: string }

/** Text, levels, on or off, and further filters of the list, all in the address. */
export function RuleFilterBar({ url, onChange, summary }: RuleFilterBarProps): ReactNode {
  const { q = '', level, enabled } = url
  return (
    <div className={styles['bar']}>
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
      {listRuleChips(url).map((name) => (
        <FilterChip
          key={name}
          name={t(`rules.filter.${name}`)}
          value={[url[name] ?? []].flat().map((value) => printRuleFilter(name, value)).join(', ')}
          removeLabel={t('rules.filter.remove', { name: t(`rules.filter.${name}`) })}
          onRemove={() => onChange({ [name]: undefined })}
        />
      ))}
      <FacetMenu
        label={t('rules.filter.add')}
        useFacets={() => useRuleFacets(toRuleQuery(url))}
        onChoose={(name, value) => onChange({ [name]: ruleParameters[name].parse(value) })}
      />
      <span className={styles['summary']}>{summary}</span>
    </div>
  )
}
