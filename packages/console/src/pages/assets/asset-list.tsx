import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { ExportMenu } from '../../frame/export/export-menu.tsx'
import { NoneFound } from '../../frame/none-found.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { RowList } from '../../frame/row-list.tsx'
import { useRowKeys } from '../../frame/use-row-keys.ts'
import { useUrlState } from '../../frame/use-url-state.ts'
import { SavedViewsMenu } from '../../frame/views/views-menu.tsx'
import { t } from '../../i18n/translate.ts'
import { lazyPart, preloadPart } from '../../ui/loading/lazy-part.tsx'
import { listAssetColumns } from './asset-columns.tsx'
import { AssetFilterBar } from './asset-filter-bar.tsx'
import { useAssetList } from './asset-queries.ts'
import { assetParameters, toAssetQuery } from './asset-url.ts'

const loadPanel = async () => (await import('./asset-panel.tsx')).AssetPanel
const AssetPanel = lazyPart(loadPanel)

/** What is of the moment, and no part of a saved view. */
const notOfViews = ['asset']
const defaultSort = { field: 'risk_score', direction: 'desc' } as const
/** Rows ahead of the last visible one at which the next page is loaded. */
const rowsAhead = 100

/** The machines of the tenant by risk, with their filters and the panel of one. */
export function AssetList({ tabs, mayEdit }: { readonly tabs: ReactNode; readonly mayEdit: boolean }): ReactNode {
  const [url, setUrl] = useUrlState(assetParameters)
  const { asset: openId, sort = defaultSort, ...filters } = url
  const parameters = toAssetQuery({ ...filters, sort })
  const { query, rows, total } = useAssetList(parameters)
  const columns = useMemo(() => listAssetColumns(), [])
  // The panel is no part of the first page, and is there before it is wanted.
  useEffect(() => preloadPart(loadPanel), [])
  const onOpen = useCallback((id: string, isReplacing: boolean) => setUrl({ asset: id }, { isReplacing }), [setUrl])
  const close = (): void => setUrl({ asset: undefined })
  const { handle, current, open } = useRowKeys({ rows, openId, onOpen, onClose: close })
  return (
    <>
      <PageHead title={t('assets.title')}>
        <SavedViewsMenu page="assets" path="/assets" beside={notOfViews} />
        <ExportMenu resource="assets" query={parameters} total={total} />
      </PageHead>
      {tabs}
      <AssetFilterBar url={url} onChange={setUrl} summary={query.isSuccess ? t('assets.count', { count: total }) : ''} />
      <RowList
        ref={handle}
        query={query}
        loadAhead={rowsAhead}
        name="assets"
        label={t('assets.title')}
        columns={columns}
        rows={rows}
        total={total}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        current={current}
        onOpen={open}
        empty={
          <NoneFound none={t('assets.none')} filtered={t('assets.noneFiltered')} filters={filters} onRemove={setUrl}>
            <Link to="/connectors">{t('nav.connectors')}</Link>
          </NoneFound>
        }
      >
        {openId !== undefined && <AssetPanel key={openId} id={openId} mayEdit={mayEdit} onClose={close} />}
      </RowList>
    </>
  )
}
