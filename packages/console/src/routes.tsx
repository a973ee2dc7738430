import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { RouteComponent } from '@tanstack/react-router'
import { NotFound } from './frame/not-found.tsx'
import type { PageRow } from './frame/page-table.ts'
import { printSearch } from './lib/url-state.ts'
import { AlertsIcon, DashboardIcon, HealthIcon, IncidentsIcon, PipelineIcon, RulesIcon, TimelineIcon } from './ui/icons.tsx'

/** Every page in the order of the navigation. A new page is a folder below `pages/`, a row here, and its texts in the catalogues. */
export const pages: readonly PageRow[] = [
  {
    path: '/',
    label: 'nav.dashboard',
    icon: DashboardIcon,
    keys: 'g d',
    load: async () => ({ Page: (await import('./pages/dashboard/dashboard-page.tsx')).DashboardPage }),
  },
  {
    path: '/alerts',
    entry: 'alert',
    label: 'nav.alerts',
    icon: AlertsIcon,
    keys: 'g a',
    load: async () => ({ Page: (await import('./pages/alerts/alerts-page.tsx')).AlertsPage }),
  },
  {
    path: '/incidents',
    entry: 'incident',
    label: 'nav.incidents',
    icon: IncidentsIcon,
    keys: 'g i',
    load: async () => ({ Page: (await import('./pages/incidents/incidents-page.tsx')).IncidentsPage }),
  },
  {
    path: '/search',
    label: 'nav.search',
    icon: TimelineIcon,
    group: 'investigate',
    keys: 'g s',
    load: async () => ({ Page: (await import('./pages/search/search-page.tsx')).SearchPage }),
  },
  {
    path: '/rules',
    entry: 'rule',
    label: 'nav.rules',
    icon: RulesIcon,
    group: 'detect',
    keys: 'g r',
    load: async () => ({ Page: (await import('./pages/rules/rules-page.tsx')).RulesPage }),
  },
  {
    path: '/pipeline',
    label: 'nav.pipeline',
    icon: PipelineIcon,
    group: 'operate',
    keys: 'g p',
    load: async () => ({ Page: (await import('./pages/pipeline/pipeline-page.tsx')).PipelinePage }),
  },
  {
    path: '/health',
    label: 'nav.health',
    icon: HealthIcon,
    group: 'operate',
    keys: 'g h',
    load: async () => ({ Page: (await import('./pages/health/health-page.tsx')).HealthPage }),
  },
]

/** All components on one page, in development only. */
const componentsPage: Pick<PageRow, 'path' | 'load'> = {
  path: '/dev/components',
  load: async () => ({ Page: (await import('./dev/components-page.tsx')).ComponentsPage }),
}

/** Creates the router around the component that frames every page. */
export function createPageRouter(component: RouteComponent): ReturnType<typeof createRouter> {
  const root = createRootRoute({ component, notFoundComponent: NotFound })
  const shown: readonly Pick<PageRow, 'path' | 'entry' | 'load'>[] = [...pages, ...(import.meta.env.DEV ? [componentsPage] : [])]
  const routes = shown.flatMap(({ path, entry, load }) => {
    const page = createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, 'Page') })
    if (entry === undefined) return [page]
    // The stable address of an entry, which messages to other programs link to.
    const entryPage = createRoute({
      getParentRoute: () => root,
      path: `${path}/$id`,
      beforeLoad: ({ params }) => {
        throw redirect({ to: path, search: { [entry]: (params as { readonly id: string }).id }, replace: true })
      },
    })
    return [page, entryPage]
  })
  return createRouter({
    routeTree: root.addChildren(routes),
    defaultPreload: 'intent',
    // Plain parameters, no JSON. The router compares what it prints with the address, so both are printed alike.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = printSearch(new URLSearchParams(search as Record<string, string>))
      return text === '' ? '' : `?${text}`
    },
  })
}
