import { Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ReactNode } from 'react'
import { NoneFound } from '../../frame/none-found.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { SearchField } from '../../ui/filters/search-field.tsx'
import { FilterRow } from '../../ui/filters/filter-row.tsx'
import { Toggle, ToggleGroup, toggleWord } from '../../ui/filters/toggle.tsx'
import { AssetPanel } from './asset-panel.tsx'
import { findingParameters, riskLevels, toFindingQuery } from './asset-url.ts'
import { useFindingList } from './exposure-queries.ts'
import { listFindingColumns } from './finding-columns.tsx'

const defaultSort = { field: 'severity', direction: 'desc' } as const
/** Rows ahead of the last visible one at which the next page is loaded. */
const rowsAhead = 100

/** The vulnerabilities of all assets, the worst first; each opens its asset. */
export function FindingsView({ mayEdit }: { readonly mayEdit: boolean }): ReactNode {
  const [url, setUrl] = useUrlState(findingParameters)
  const { finding: openId, asset, sort = defaultSort, ...filters } = url
  const { q = '', severity, status, exploitable, overdue } = filters
  const { query, rows, total } = useFindingList(toFindingQuery({ ...filters, sort }))
  const columns = useMemo(() => listFindingColumns(), [])
  const onOpen = useCallback((id: string, isReplacing: boolean) => {
    setUrl({ finding: id, asset: rows.find((row) => row.id === id)?.asset_id }, { isReplacing })
  }, [setUrl, rows])
  const close = (): void => setUrl({ finding: undefined, asset: undefined })
  const { handle, current, open } = useRowKeys({ rows, openId, onOpen, onClose: close })
  return (
    <>
      <FilterRow summary={query.isSuccess ? t('assets.findings.count', { count: total }) : ''}>
        <SearchField
          label={t('assets.findings.search')}
          keyLabel={t('assets.findings.search')}
          value={q}
          onChange={(text) => setUrl({ q: text }, { isTyping: true })}
        />
        <ToggleGroup label={t('assets.column.severity')}>
          {riskLevels.map((one) => (
            <Toggle
              key={one}
              isOn={severity?.includes(one) === true}
              onToggle={() => setUrl({ severity: toggleWord(riskLevels, severity, one) })}
            >
              <SeverityLabel severity={one} />
            </Toggle>
          ))}
        </ToggleGroup>
        <ToggleGroup label={t('assets.exposure')}>
          <Toggle isOn={exploitable !== undefined} onToggle={() => setUrl({ exploitable: exploitable === undefined ? 'true' : undefined })}>
            {t('assets.exploitable')}
          </Toggle>
          <Toggle isOn={overdue !== undefined} onToggle={() => setUrl({ overdue: overdue === undefined ? 'true' : undefined })}>
            {t('assets.isOverdue')}
          </Toggle>
          <Toggle isOn={status !== undefined} onToggle={() => setUrl({ status: status === undefined ? 'all' : undefined })}>
            {t('assets.closedFindings')}
          </Toggle>
        </ToggleGroup>
      </FilterRow>
      <RowList
        ref={handle}
        query={query}
        loadAhead={rowsAhead}
        name="findings"
        label={t('assets.tab.findings')}
        columns={columns}
        rows={rows}
        total={total}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        current={current}
        onOpen={open}
        empty={
          <NoneFound
            none={t('assets.findings.none')}
            filtered={t('assets.findings.noneFiltered')}
            filters={{ q: url.q, severity, exploitable, overdue }}
            onRemove={setUrl}
          >
            <Link to="/connectors">{t('nav.connectors')}</Link>
          </NoneFound>
        }
      >
        {asset !== undefined && <AssetPanel key={asset} id={asset} mayEdit={mayEdit} onClose={close} />}
      </RowList>
    </>
  )
}
