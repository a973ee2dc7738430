import type { ReactNode } from 'react'
import { useHasTargets } from '../../api/use-profile.ts'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { FacetMenu } from '../../ui/filters/facet-menu.tsx'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { FilterRow } from '../../ui/filters/filter-row.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import { IncidentFilterEditor, printIncidentFilter, toFilterChange, useIncidentFacets } from './incident-filters.tsx'
import { incidentSeverities, incidentStatuses, listIncidentChips } from './incident-url.ts'
import type { IncidentUrl, incidentParameters } from './incident-url.ts'

type FilterBarProps = {
  readonly url: IncidentUrl
  readonly onChange: ChangeUrlState<typeof incidentParameters>
  readonly summary: string
  /** The tactics of the incidents that are listed. */
  readonly tactics: readonly string[]
}

const openStatuses = incidentStatuses.filter((status) => status !== 'closed')

/** Text, severities, states and assignee of the list, all in the address. */
export function IncidentFilterBar({ url, onChange, summary, tactics }: FilterBarProps): ReactNode {
  const { q = '', severity, status, assignee, due } = url
  const hasTargets = useHasTargets()
  return (
    <FilterRow summary={summary}>
      <SearchField
        label={t('incidents.search')}
        keyLabel={t('incidents.keys.search')}
        value={q}
        onChange={(text) => onChange({ q: text }, { isTyping: true })}
      />
      <ToggleGroup label={t('incidents.column.severity')}>
        {incidentSeverities.map((one) => (
          <Toggle
            key={one}
            isOn={severity?.includes(one) === true}
            onToggle={() => onChange({ severity: toggleWord(incidentSeverities, severity, one) })}
          >
            <SeverityLabel severity={one} />
          </Toggle>
        ))}
      </ToggleGroup>
      <ToggleGroup label={t('incidents.column.status')}>
        {incidentStatuses.map((one) => (
          <Toggle
            key={one}
            isOn={status?.includes(one) === true}
            onToggle={() => onChange({ status: toggleWord(incidentStatuses, status, one) })}
          >
            {t(`incidents.status.${one}`)}
          </Toggle>
        ))}
      </ToggleGroup>
      <Toggle isOn={assignee === 'me'} onToggle={() => onChange({ assignee: assignee === 'me' ? undefined : 'me' })}>
        {t('incidents.filter.mine')}
      </Toggle>
      {(hasTargets || due === 'overdue') && (
        <Toggle
          isOn={due === 'overdue'}
          onToggle={() => onChange(due === 'overdue' ? { due: undefined, status: undefined } : { due: 'overdue', status: openStatuses })}
        >
          {t('incidents.filter.overdue')}
        </Toggle>
      )}
      {listIncidentChips(url).map((chip) => {
        const name = t(`incidents.filter.${chip}`)
        return (
          <FilterChip
            key={chip}
            name={name}
            value={printIncidentFilter(chip, url[chip] ?? '')}
            editLabel={t('filters.edit', { name })}
            removeLabel={t('filters.remove', { name })}
            onRemove={() => onChange({ [chip]: undefined })}
          >
            {(close) => <IncidentFilterEditor {...{ chip, url, tactics, onChange, close }} />}
          </FilterChip>
        )
      })}
      <FacetMenu
        label={t('incidents.filter.add')}
        useFacets={() => useIncidentFacets(tactics)}
        onChoose={(name, value) => onChange(toFilterChange(name, value))}
      />
    </FilterRow>
  )
}
