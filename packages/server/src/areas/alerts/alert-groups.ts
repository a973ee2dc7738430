import type { Level } from '@tripline/engine'
import { levelRank } from '@tripline/model/level'
import type { FilteredValue } from '@tripline/model/lists/evaluate-filter'
import { alertGroupFields } from '@tripline/model/lists/list-fields'
import type { TenantId } from '@tripline/model/tenant'
import type { AlertFacts } from '@tripline/state/ports/alert-store'
import { createMemoryList } from '@tripline/state/ports/memory-list'
import { limits } from '../../limits.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../../http/lists/list-page.ts'
import type { AlertFigureDeps } from './alert-summary.ts'

/** Alerts that have something in common. */
export type AlertGroup = {
  readonly key: string
  readonly label: string
  readonly count: number
  readonly open: number
  /** The worst. */
  readonly level: Level
  readonly firstAt: number
  readonly lastAt: number
  /** Counts of equal spans from the first to the last alert of all groups. */
  readonly spark: readonly number[]
}

/** The groups of an alert: the key of each, and its label. */
type KeyReader = (alert: AlertFacts) => readonly (readonly [key: string, label: string])[]

const keyReaders = {
  rule_id: ({ ruleId, ruleTitle }) => [[ruleId, ruleTitle]],
  host: ({ host }) => [[host, host]],
  user: ({ user }) => [[user, user]],
  tactic: ({ tactics }) => (tactics.length === 0 ? [['', '']] : tactics.map((tactic) => [tactic, tactic] as const)),
  rule_host: ({ ruleId, ruleTitle, host }) => [[`${ruleId} ${host}`, host === '' ? ruleTitle : `${ruleTitle} on ${host}`]],
} as const satisfies { readonly [name: string]: KeyReader }
type AlertGroupKey = keyof typeof keyReaders

const groupReader = {
  fields: alertGroupFields,
  read: ({ count, open, level, firstAt, lastAt, label }: AlertGroup, field: string): FilteredValue => {
    const values: { readonly [field: string]: FilteredValue } = {
      count, open, severity: level, first_at: firstAt, last_at: lastAt, label,
    }
    return values[field] ?? ''
  },
  getId: ({ key }: AlertGroup) => key,
  getTexts: () => [],
}

/**
 * Groups the newest alerts of a selection by what they have in common, and reads a page of the groups. An alert of several tactics
 * is in several groups.
 */
export async function listAlertGroups(
  { state: { alerts }, clock, keys }: AlertFigureDeps & CursorDeps, tenant: TenantId,
  { by, request }: { readonly by: AlertGroupKey; readonly request: ListRequest },
): Promise<ListPage<AlertGroup> & { readonly grouped: number; readonly isTruncated: boolean }> {
  const { groupedMax } = limits.alertFigures
  const { where, text } = request
  const found = await alerts.newest(tenant, { where, ...(text !== undefined && { text }) }, { limit: groupedMax })
  const groups = createMemoryList(() => groupAlerts(found, by), groupReader)
  const page = await readListPage({ clock, keys }, { tenant, endpoint: 'alert_groups' }, { ...request, where: [], text: undefined }, groups)
  return { ...page, grouped: found.length, isTruncated: found.length === groupedMax }
}

type GrowingGroup = { -readonly [Name in keyof AlertGroup]: AlertGroup[Name] } & { spark: number[] }

function groupAlerts(alerts: readonly AlertFacts[], by: AlertGroupKey): readonly AlertGroup[] {
  const { sparkSpans } = limits.alertFigures
  const times = alerts.map(({ createdAt }) => createdAt)
  const [first, last] = [times.at(-1) ?? 0, times[0] ?? 0]
  const spanMs = Math.max(1, (last - first + 1) / sparkSpans)
  const groups = new Map<string, GrowingGroup>()
  for (const alert of alerts) {
    const { level, status, createdAt, lastSeenAt } = alert
    for (const [key, label] of keyReaders[by](alert)) {
      const known = groups.get(key)
      const spark = Array<number>(sparkSpans).fill(0)
      const group = known ?? { key, label, count: 0, open: 0, level, firstAt: createdAt, lastAt: lastSeenAt, spark }
      if (known === undefined) groups.set(key, group)
      group.count++
      group.open += Number(status === 'open' || status === 'in_progress')
      if (levelRank[level] > levelRank[group.level]) group.level = level
      group.firstAt = Math.min(group.firstAt, createdAt)
      group.lastAt = Math.max(group.lastAt, lastSeenAt)
      const span = Math.min(sparkSpans - 1, Math.floor((createdAt - first) / spanMs))
      group.spark[span] = (group.spark[span] ?? 0) + 1
    }
  }
  return [...groups.values()]
}
