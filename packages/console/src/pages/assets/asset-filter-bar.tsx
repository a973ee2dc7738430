import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { Choice } from '../../ui/filters/choice.tsx'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { FilterRow } from '../../ui/filters/filter-row.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import { ValueForm } from '../../ui/filters/value-form.tsx'
import { assetTypes, blindSpots, criticalities, riskLevels } from './asset-url.ts'
import type { AssetUrl, assetParameters } from './asset-url.ts'

type FilterBarProps = { readonly url: AssetUrl; readonly onChange: ChangeUrlState<typeof assetParameters>; readonly summary: string }

/** Text, risk, blind spots and exposure of the list, all in the address. */
export function AssetFilterBar({ url, onChange, summary }: FilterBarProps): ReactNode {
  const { q = '', risk, type, criticality, stale, exploitable, overdue, tag } = url
  return (
    <FilterRow summary={summary}>
      <SearchField
        label={t('assets.search')}
        keyLabel={t('assets.search')}
        value={q}
        onChange={(text) => onChange({ q: text }, { isTyping: true })}
      />
      <ToggleGroup label={t('assets.column.risk')}>
        {riskLevels.map((one) => (
          <Toggle key={one} isOn={risk?.includes(one) === true} onToggle={() => onChange({ risk: toggleWord(riskLevels, risk, one) })}>
            <SeverityLabel severity={one} />
          </Toggle>
        ))}
      </ToggleGroup>
      <ToggleGroup label={t('assets.column.blind')}>
        {blindSpots.map((one) => (
          <Toggle key={one} isOn={stale?.includes(one) === true} onToggle={() => onChange({ stale: toggleWord(blindSpots, stale, one) })}>
            {t(`assets.blind.${one}`)}
          </Toggle>
        ))}
        <Toggle isOn={exploitable === 'true'} onToggle={() => onChange({ exploitable: exploitable === 'true' ? undefined : 'true' })}>
          {t('assets.exploitable')}
        </Toggle>
        <Toggle isOn={overdue === 'true'} onToggle={() => onChange({ overdue: overdue === 'true' ? undefined : 'true' })}>
          {t('assets.isOverdue')}
        </Toggle>
      </ToggleGroup>
      <Choice
        label={t('assets.byType')}
        any={t('assets.anyType')}
        value={type?.[0]}
        options={assetTypes.map((value) => ({ value, label: t(`assets.type.${value}`) }))}
        onChange={(value) => onChange({ type: value && [value] })}
      />
      <Choice
        label={t('assets.byCriticality')}
        any={t('assets.anyCriticality')}
        value={criticality?.[0]}
        options={criticalities.map((value) => ({ value, label: t(`assets.criticality.${value}`) }))}
        onChange={(value) => onChange({ criticality: value && [value] })}
      />
      {tag !== undefined && (
        <FilterChip
          name={t('assets.tag')}
          value={tag}
          editLabel={t('filters.edit', { name: t('assets.tag') })}
          removeLabel={t('assets.removeTag')}
          onRemove={() => onChange({ tag: undefined })}
        >
          {(close) => (
            <ValueForm
              label={t('assets.tag')}
              values={[{ value: tag, label: tag }]}
              chosen={[tag]}
              onChoose={close}
              onType={(typed) => {
                close()
                onChange({ tag: typed })
              }}
            />
          )}
        </FilterChip>
      )}
    </FilterRow>
  )
}
