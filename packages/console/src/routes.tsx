import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { AnyRoute, RouteComponent } from '@tanstack/react-router'
import { loadPart } from './api/load-part.ts'
import { NotFound } from './frame/not-found.tsx'
import type { PageRow } from './frame/page-table.ts'
import type { Catalogue } from './i18n/message.ts'
import { addTexts } from './i18n/translate.ts'
import { printSearch } from './lib/url-state.ts'
import {
  AlertsIcon, AssetsIcon, ComplianceIcon, ConnectorsIcon, DashboardIcon, HealthIcon, IncidentsIcon, PipelineIcon,
  ReportsIcon, RulesIcon, SettingsIcon, TimelineIcon,
} from './ui/icons.tsx'

/** Every page in the order of the navigation. A new page is a folder below `pages/`, a row here, and its texts in the catalogues. */
export const pages: readonly PageRow[] = [
  {
    path: '/',
    hasRange: true,
    label: 'nav.dashboard',
    icon: DashboardIcon,
    keys: 'g d',
    loadTexts: async () => (await import('./i18n/en/dashboard.ts')).enDashboard,
    load: async () => ({ Page: (await import('./pages/dashboard/dashboard-page.tsx')).DashboardPage }),
  },
  {
    path: '/alerts',
    hasRange: true,
    hasEntryPages: true,
    label: 'nav.alerts',
    icon: AlertsIcon,
    keys: 'g a',
    load: async () => ({ Page: (await import('./pages/alerts/alerts-page.tsx')).AlertsPage }),
  },
  {
    path: '/incidents',
    hasEntryPages: true,
    label: 'nav.incidents',
    icon: IncidentsIcon,
    keys: 'g i',
    loadTexts: async () => (await import('./i18n/en/incidents.ts')).enIncidents,
    load: async () => ({ Page: (await import('./pages/incidents/incidents-page.tsx')).IncidentsPage }),
  },
  {
    path: '/search',
    hasRange: true,
    label: 'nav.search',
    icon: TimelineIcon,
    group: 'investigate',
    keys: 'g s',
    loadTexts: async () => (await import('./i18n/en/search.ts')).enSearch,
    load: async () => ({ Page: (await import('./pages/search/search-page.tsx')).SearchPage }),
  },
  {
    path: '/assets',
    entry: 'asset',
    label: 'nav.assets',
    icon: AssetsIcon,
    group: 'investigate',
    keys: 'g e',
    // Those of the alerts that name an asset are among them.
    loadTexts: async () => {
      const [{ enAssets }, { enAlerts }] = await Promise.all([import('./i18n/en/assets.ts'), import('./i18n/en/alerts.ts')])
      return { ...enAssets, ...enAlerts }
    },
    load: async () => ({ Page: (await import('./pages/assets/assets-page.tsx')).AssetsPage }),
  },
  {
    path: '/rules',
    loadParts: { matrix: async () => ({ Page: (await import('./pages/rules/matrix/matrix-page.tsx')).MatrixPage }) },
    loadEntry: async () => ({ Page: (await import('./pages/rules/authoring/rule-page.tsx')).RulePage }),
    label: 'nav.rules',
    icon: RulesIcon,
    group: 'detect',
    keys: 'g r',
    loadTexts: async () => {
      const [{ enRules }, { enRule }, { enWorkbench }] = await Promise.all([
        import('./i18n/en/rules.ts'), import('./i18n/en/rule.ts'), import('./i18n/en/workbench.ts'),
      ])
      return { ...enRules, ...enRule, ...enWorkbench }
    },
    load: async () => ({ Page: (await import('./pages/rules/rules-page.tsx')).RulesPage }),
  },
  {
    path: '/connectors',
    entry: 'connector',
    loadParts: {
      collectors: async () => ({ Page: (await import('./pages/connectors/collectors/collectors-page.tsx')).CollectorsPage }),
      new: async () => ({ Page: (await import('./pages/connectors/new/new-connector-page.tsx')).NewConnectorPage }),
    },
    label: 'nav.connectors',
    icon: ConnectorsIcon,
    group: 'operate',
    keys: 'g c',
    loadTexts: async () => (await import('./i18n/en/connectors.ts')).enConnectors,
    load: async () => ({ Page: (await import('./pages/connectors/connectors-page.tsx')).ConnectorsPage }),
  },
  {
    path: '/pipeline',
    label: 'nav.pipeline',
    icon: PipelineIcon,
    group: 'operate',
    keys: 'g p',
    loadTexts: async () => (await import('./i18n/en/pipeline.ts')).enPipeline,
    load: async () => ({ Page: (await import('./pages/pipeline/pipeline-page.tsx')).PipelinePage }),
  },
  {
    path: '/health',
    label: 'nav.health',
    icon: HealthIcon,
    group: 'operate',
    keys: 'g h',
    loadTexts: async () => (await import('./i18n/en/health.ts')).enHealth,
    load: async () => ({ Page: (await import('./pages/health/health-page.tsx')).HealthPage }),
  },
  {
    path: '/compliance',
    loadEntry: async () => ({ Page: (await import('./pages/compliance/compliance-page.tsx')).CompliancePage }),
    label: 'nav.compliance',
    icon: ComplianceIcon,
    group: 'administer',
    keys: 'g o',
    loadTexts: async () => (await import('./i18n/en/compliance.ts')).enCompliance,
    load: async () => ({ Page: (await import('./pages/compliance/compliance-page.tsx')).CompliancePage }),
  },
  {
    path: '/reports',
    loadEntry: async () => ({ Page: (await import('./pages/reports/report-page.tsx')).ReportPage }),
    label: 'nav.reports',
    icon: ReportsIcon,
    group: 'administer',
    keys: 'g f',
    loadTexts: async () => (await import('./i18n/en/reports.ts')).enReports,
    load: async () => ({ Page: (await import('./pages/reports/reports-page.tsx')).ReportsPage }),
  },
  {
    path: '/settings',
    loadEntry: async () => ({ Page: (await import('./pages/settings/settings-page.tsx')).SettingsPage }),
    label: 'nav.settings',
    icon: SettingsIcon,
    group: 'administer',
    keys: 'g t',
    loadTexts: async () => {
      const [{ enSettings }, { enChannels }, { enData }, { enAutomation }, { enProvisioning }, { enRulePipelines }] = await Promise.all([
        import('./i18n/en/settings.ts'), import('./i18n/en/settings/channels.ts'), import('./i18n/en/settings/data.ts'),
        import('./i18n/en/settings/automation.ts'), import('./i18n/en/settings/provisioning.ts'),
        import('./i18n/en/settings/rule-pipelines.ts'),
      ])
      return { ...enSettings, ...enChannels, ...enData, ...enAutomation, ...enProvisioning, ...enRulePipelines }
    },
    load: async () => ({ Page: (await import('./pages/settings/settings-page.tsx')).SettingsPage }),
  },
]

const loadPortalTexts = async (): Promise<Partial<Catalogue>> => {
  const [{ enPortal }, { enAlerts }, { enAlertPanel }] = await Promise.all([
    import('./i18n/en/portal.ts'), import('./i18n/en/alerts.ts'), import('./i18n/en/alert-panel.ts'),
  ])
  return { ...enPortal, ...enAlerts, ...enAlertPanel }
}
const shared = (path: string): PageRow[] => pages.filter((row) => row.path === path).map(({ group: _group, ...row }) => row)

/** The pages of customers, below `/portal`: their own overview and alerts, and pages that are the same for both. */
export const portalPages: readonly PageRow[] = [
  {
    path: '/',
    label: 'nav.overview',
    icon: DashboardIcon,
    keys: 'g d',
    loadTexts: loadPortalTexts,
    load: async () => ({ Page: (await import('./pages/portal/overview-page.tsx')).OverviewPage }),
  },
  {
    path: '/alerts',
    entry: 'alert',
    label: 'nav.alerts',
    icon: AlertsIcon,
    keys: 'g a',
    loadTexts: loadPortalTexts,
    load: async () => ({ Page: (await import('./pages/portal/portal-alerts-page.tsx')).PortalAlertsPage }),
  },
  ...shared('/search'),
  ...shared('/assets').map((row): PageRow => {
    return { ...row, load: async () => ({ Page: (await import('./pages/assets/assets-page.tsx')).CustomerAssetsPage }) }
  }),
  ...['/connectors', '/compliance', '/reports', '/settings'].flatMap(shared),
]

/** All components on one page, in development only. */
const componentsPage: Pick<PageRow, 'path' | 'load'> = {
  path: '/dev/components',
  load: async () => ({ Page: (await import('./dev/components-page.tsx')).ComponentsPage }),
}

type RoutedPage = Pick<PageRow, 'path' | 'entry' | 'hasEntryPages' | 'load' | 'loadTexts' | 'loadParts' | 'loadEntry'>

/** Creates the router of some pages below a path, around the component that frames each. */
export function createPageRouter(
  component: RouteComponent, rows: readonly PageRow[], basepath: string,
): ReturnType<typeof createRouter> {
  const root = createRootRoute({ component, notFoundComponent: NotFound })
  const shown: readonly RoutedPage[] = [...rows, ...(import.meta.env.DEV ? [componentsPage] : [])]
  const routes = shown.flatMap(({ path, entry, hasEntryPages, load, loadTexts, loadParts = {}, loadEntry }): AnyRoute[] => {
    // Texts and page load together; those of the page that is opened most come with its code.
    const withTexts = (loadPage: PageRow['load']): PageRow['load'] => () =>
      loadPart(async () => {
        const [page, texts] = await Promise.all([loadPage(), loadTexts?.()])
        if (texts !== undefined) addTexts(texts)
        return page
      })
    const pageComponent = lazyRouteComponent(withTexts(load), 'Page')
    const page = createRoute({ getParentRoute: () => root, path, component: pageComponent })
    const parts = Object.entries(loadParts).map(([part, loadPart]) => {
      const partComponent = lazyRouteComponent(withTexts(loadPart), 'Page')
      return createRoute({ getParentRoute: () => root, path: `${path}/${part}`, component: partComponent })
    })
    if (loadEntry !== undefined) {
      const entryComponent = lazyRouteComponent(withTexts(loadEntry), 'Page')
      return [page, ...parts, createRoute({ getParentRoute: () => root, path: `${path}/$id`, component: entryComponent })]
    }
    if (hasEntryPages === true) return [page.addChildren([createRoute({ getParentRoute: () => page, path: '$id' })]), ...parts]
    if (entry === undefined) return [page, ...parts]
    // The stable address of an entry, which messages to other programs link to.
    const entryPage = createRoute({
      getParentRoute: () => root,
      path: `${path}/$id`,
      beforeLoad: ({ params }) => {
        throw redirect({ to: path, search: { [entry]: (params as { readonly id: string }).id }, replace: true })
      },
    })
    return [page, ...parts, entryPage]
  })
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath,
    defaultPreload: 'intent',
    // Plain parameters, no JSON. The router compares what it prints with the address, so both are printed alike.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = printSearch(new URLSearchParams(search as Record<string, string>))
      return text === '' ? '' : `?${text}`
    },
  })
}
