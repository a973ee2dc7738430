import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import styles from './asset-filter-bar.module.css'
import { blindSpots, riskLevels } from './asset-url.ts'
import type { AssetUrl, assetParameters } from './asset-url.ts'

type FilterBarProps = { readonly url: AssetUrl; readonly onChange: ChangeUrlState<typeof assetParameters>; readonly summary: string }

/** Text, risk, blind spots and exposure of the list, all in the address. */
export function AssetFilterBar({ url: { q = '', risk, stale, exploitable, tag }, onChange, summary }: FilterBarProps): ReactNode {
  return (
    <div className={styles['bar']}>
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
      </ToggleGroup>
      {tag !== undefined && (
        <FilterChip name={t('assets.tag')} value={tag} removeLabel={t('assets.removeTag')} onRemove={() => onChange({ tag: undefined })} />
      )}
      <span className={styles['summary']}>{summary}</span>
    </div>
  )
}
