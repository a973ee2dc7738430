import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { AuditEntry } from '@tripline/model/audit'
import type { Filter } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../../limits.ts'

/** What the changes of a tenant need of the server. */
export type ChangeDeps = {
  readonly state: Pick<StateStore, 'audit' | 'connectors'>
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
  readonly clock: { readonly now: () => number }
  /** When this server started. */
  readonly startedAt: number
}

/** A change that every role may know of, without the circumstances that the audit trail has. */
type TenantChange = {
  readonly at: number
  readonly kind: 'rule' | 'connector' | 'settings' | 'start'
  readonly action: string
  readonly title: string
  /** Undefined for the server itself. */
  readonly by: string | undefined
  /** The path of the console's page; undefined for what is removed. */
  readonly link: string | undefined
}

type Range = { readonly from: number; readonly to: number }

/** The actions of the audit trail that are shown, by kind. */
const shownActions = {
  rule: ['rule.create', 'rule.update', 'rule.delete', 'rule.reset'],
  connector: ['connector.create', 'connector.update', 'connector.delete'],
  settings: ['settings.update'],
} as const

/** Lists what was changed in a range of time, newest first: rules, connectors, settings, and the last start of the server. */
export async function listChanges(
  deps: ChangeDeps, tenant: TenantId, range: Range,
): Promise<{ readonly changes: readonly TenantChange[]; readonly isTruncated: boolean }> {
  const { listedMax } = limits.changes
  const where: readonly Filter[] = [
    { field: 'at', operator: 'gte', value: range.from }, { field: 'at', operator: 'lt', value: range.to },
    { field: 'action', operator: 'in', value: Object.values(shownActions).flat() },
    { field: 'outcome', operator: 'eq', value: 'success' },
  ]
  const { entries, next } = await deps.state.audit.list(tenant, { where, order: [{ field: 'at', direction: 'desc' }], limit: listedMax })
  const book = await deps.ruleBooks.get(tenant)
  const connectors = new Map((await deps.state.connectors.list(tenant)).map(({ id, name }) => [id, name]))
  const changes = entries.map((entry) => describeChange(entry, {
    rule: (id) => book.get(id)?.rule.title, connector: (id) => connectors.get(id),
  }))
  const isStartShown = deps.startedAt >= range.from && deps.startedAt < range.to
  const start: TenantChange = {
    at: deps.startedAt, kind: 'start', action: 'server.start', title: 'The server started', by: undefined, link: '/health',
  }
  const all = isStartShown ? [...changes, start].toSorted((one, other) => other.at - one.at) : changes
  return { changes: all, isTruncated: next !== undefined }
}

type NameReader = { readonly [kind in 'rule' | 'connector']: (id: string) => string | undefined }

function describeChange({ at, action, target: { id }, actor, diff = {} }: AuditEntry, names: NameReader): TenantChange {
  const change = { at, action, by: actor.email }
  if (shownActions.settings.some((shown) => shown === action)) {
    return { ...change, kind: 'settings', title: Object.keys(diff).join(', '), link: '/settings/general' }
  }
  const kind = shownActions.rule.some((shown) => shown === action) ? 'rule' : 'connector'
  const name = names[kind](id)
  const title = name ?? readFormerName(diff[kind === 'rule' ? 'title' : 'name']) ?? id
  return { ...change, kind, title, link: name === undefined ? undefined : `/${kind}s/${id}` }
}

/** The name of something that is gone, before or after the change. */
function readFormerName(change: unknown): string | undefined {
  const names: readonly unknown[] = Array.isArray(change) ? change : []
  return names.find((name): name is string => typeof name === 'string' && name !== '')
}
