import { useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/use-may.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { useUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { textParameter, wordParameter } from '../../lib/url-state.ts'
import { lazyPart } from '../../ui/loading/lazy-part.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AssetList } from './asset-list.tsx'
import { assetParameters } from './asset-url.ts'

const ExposureView = lazyPart(async () => (await import('./exposure-view.tsx')).ExposureView)
const FindingsView = lazyPart(async () => (await import('./findings-view.tsx')).FindingsView)

const views = ['list', 'exposure', 'findings'] as const
type ViewName = (typeof views)[number]

/** What all views have in the address; each has its own parameters beside. */
const shared = { tab: wordParameter(views), asset: textParameter }

/** The machines of the tenant: their list by risk, where they are exposed, and their findings. */
export function AssetsPage(): ReactNode {
  return <Assets first="list" />
}

/** The same for customers, who see first where they are exposed. */
export function CustomerAssetsPage(): ReactNode {
  return <Assets first="exposure" />
}

function Assets({ first }: { readonly first: ViewName }): ReactNode {
  const mayEdit = useMay('edit_connectors')
  const navigate = useNavigate()
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const [{ tab, asset }, setUrl] = useUrlState(shared)
  // An address that selects assets is of their list, also where another view is the first.
  const selects = [...new URLSearchParams(search).keys()].some((name) => Object.hasOwn(assetParameters, name))
  const view = tab ?? (selects ? 'list' : first)
  const tabs = (
    <Tabs
      label={t('assets.views')}
      tabs={views.map((id) => ({ id, label: t(`assets.tab.${id}`) }))}
      current={view}
      onChoose={(id) => void navigate({ to: '/assets', search: (id === first ? {} : { tab: id }) as never })}
    />
  )
  if (view === 'list') return <AssetList tabs={tabs} mayEdit={mayEdit} />
  return (
    <>
      <PageHead title={t('assets.title')} />
      {tabs}
      {view === 'exposure' && (
        <ExposureView openId={asset} mayEdit={mayEdit} onOpen={(id) => setUrl({ tab: 'exposure', asset: id })} />
      )}
      {view === 'findings' && <FindingsView mayEdit={mayEdit} />}
    </>
  )
}
