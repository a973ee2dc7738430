import type { AlertListBody } from '@tripline/contract/console/alert'
import type { AlertSummaryBody } from '@tripline/contract/console/alerts/alert-figures'
import type { AssetBody } from '@tripline/contract/console/enrichment/asset'
import type { IncidentListBody } from '@tripline/contract/console/incident'
import type { RuleList } from '@tripline/contract/console/rule'
import type { ViewBody } from '@tripline/contract/console/view'
import { ApiError } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { printTextQuery } from '../../lib/text-query.ts'
import { toIso, unitMs } from '../../lib/time-range.ts'
import { recognize } from './recognize.ts'

/** Something that the palette leads to: a place with its parameters. */
export type Target = {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly to: string
  readonly search?: { readonly [parameter: string]: string }
}

/** What is looked for on the server, where the page that shows it is one of the user's. */
type TargetSource = {
  readonly page: string
  readonly name: string
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Target[]>
}

/** Results of each kind. */
const limit = '4'
/** Alerts about a host or user are looked for this far back, in days. */
const recentDays = 30
const range = `-${recentDays}d`

const nameOf = (...names: readonly string[]): string => names.filter((name) => name !== '').join(' · ')

export const targetSources: readonly TargetSource[] = [
  {
    page: '/rules', name: 'rules',
    find: async (q, signal) => {
      const { rules } = await callApi<RuleList>('/v1/detection/rules', { query: { q, limit }, signal })
      return rules.map(({ id, title }) => ({ id, group: t('palette.rules'), label: title, to: `/rules/${encodeURIComponent(id)}` }))
    },
  },
  {
    page: '/alerts', name: 'alerts',
    find: async (q, signal) => {
      const { alerts } = await callApi<AlertListBody>('/v1/alerts', { query: { q, limit }, signal })
      return alerts.map(({ id, rule_title: title, event: { host, user }, created_at: at }) => {
        return { id, group: t('palette.alerts'), label: nameOf(title, host || user, printTime(at)), to: '/alerts', search: { alert: id } }
      })
    },
  },
  {
    page: '/incidents', name: 'incidents',
    find: async (q, signal) => {
      const { incidents } = await callApi<IncidentListBody>('/v1/incidents', { query: { q, limit }, signal })
      const group = t('palette.incidents')
      return incidents.map(({ id, title }) => ({ id, group, label: title, to: '/incidents', search: { incident: id } }))
    },
  },
  {
    page: '/assets', name: 'assets',
    find: async (q, signal) => {
      const { assets } = await callApi<{ readonly assets: readonly AssetBody[] }>('/v1/assets', { query: { q, limit }, signal })
      return assets.map(({ id, hostname, ip_addresses: [address = ''] }) => {
        return { id, group: t('palette.hosts'), label: nameOf(hostname, address), to: '/assets', search: { asset: id } }
      })
    },
  },
  {
    page: '/alerts', name: 'users',
    find: async (q, signal) => {
      const query = { q, from: toIso(Date.now() - recentDays * unitMs.d), facets: 'user', limit: '20' }
      const { facets } = await callApi<AlertSummaryBody>('/v1/alerts/summary', { query, signal })
      // The text may be in another part of the alerts than the name of the user.
      const names = (facets[0]?.values ?? []).map(({ value }) => value).filter((name) => name.toLowerCase().includes(q.toLowerCase()))
      return names.slice(0, Number(limit)).map((user) => {
        return { id: user, group: t('palette.users'), label: user, to: '/alerts', search: { user, from: range } }
      })
    },
  },
  { page: '/alerts', name: 'ids', find: findById },
]

/** The entry that an id is of. */
async function findById(text: string, signal: AbortSignal): Promise<readonly Target[]> {
  const { kind, value } = recognize(text) ?? {}
  if (kind !== 'uuid' || value === undefined) return []
  const id = encodeURIComponent(value)
  const found = await Promise.all([
    read(`/v1/detection/rules/${id}`, 'palette.rules', (title) => ({ label: title, to: `/rules/${id}` })),
    read(`/v1/alerts/${id}`, 'palette.alerts', (title) => ({ label: title, to: '/alerts', search: { alert: value } })),
    read(`/v1/incidents/${id}`, 'palette.incidents', (title) => ({ label: title, to: '/incidents', search: { incident: value } })),
  ])
  return found.flat()

  async function read(
    path: string, group: 'palette.rules' | 'palette.alerts' | 'palette.incidents', toPlace: (title: string) => Omit<Target, 'id' | 'group'>,
  ): Promise<readonly Target[]> {
    try {
      const { title, rule_title: ruleTitle } = await callApi<{ readonly title?: string; readonly rule_title?: string }>(path, { signal })
      return [{ id: value ?? '', group: t(group), ...toPlace(title ?? ruleTitle ?? '') }]
    } catch (error) {
      // It is the id of something else, or has not even the form of one.
      if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return []
      throw error
    }
  }
}

/** Where a recognized text leads, before the server is asked. */
export function listRecognized(text: string): readonly Target[] {
  const { kind, value } = recognize(text) ?? {}
  if (value === undefined) return []
  const group = t('palette.recognized')
  if (kind === 'technique') {
    return [{ id: 'rules', group, label: t('palette.technique', { value }), to: '/rules', search: { technique: value } }]
  }
  // What an id is of, the server says.
  if (kind === 'uuid') return []
  const alerts = { id: 'alerts', group, label: t('palette.ip.alerts', { value }), to: '/alerts', search: { q: value, from: range } }
  if (kind === 'hash') return [alerts]
  return [{ id: 'assets', group, label: t('palette.ip.assets', { value }), to: '/assets', search: { q: value } }, alerts]
}

/** The search for a text among the stored events: what is offered whatever else is found. */
export function toEventSearch(text: string): Target {
  const label = t('palette.search', { text: text.trim() })
  return { id: 'events', group: t('palette.events'), label, to: '/search', search: { q: printTextQuery(text) } }
}

const viewPaths: { readonly [Page in ViewBody['page']]: string } = {
  alerts: '/alerts', incidents: '/incidents', search: '/search', assets: '/assets', rules: '/rules', connectors: '/connectors',
  audit: '/settings/audit',
}

/** A saved view as a place. */
export function toViewTarget({ id, page, name, query }: ViewBody): Target {
  return { id, group: t('palette.views'), label: name, to: viewPaths[page], search: Object.fromEntries(new URLSearchParams(query)) }
}

/** Whether a place is below one of the pages that the user has. */
export function isAmong(pages: readonly string[], { to }: Pick<Target, 'to'>): boolean {
  return pages.some((page) => to === page || to.startsWith(`${page}/`))
}
