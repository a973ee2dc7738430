import type { Clock, Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { Principal } from '@tripline/model/access/principal'
import { changeAlert } from '@tripline/model/alert'
import type { Alert, AlertChange } from '@tripline/model/alert'
import { toAlertStatusWord } from '@tripline/model/alert-status'
import { createUuidV7 } from '@tripline/model/ids'
import type { SortKey } from '@tripline/model/lists/filter'
import { alertFields } from '@tripline/model/lists/list-fields'
import type { TenantId } from '@tripline/model/tenant'
import type { AlertComment, AlertEvidence } from '@tripline/state/ports/alert-store'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { unwrapChange, checkVersion, requireFound } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { limits } from '../../limits.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../../http/lists/list-page.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { nameActor } from '../../audit/name-actor.ts'
import { resolveAssignee } from '../../access/resolve-assignee.ts'

/** What alerts need of the server. */
export type AlertDeps = CursorDeps & {
  readonly clock: Clock
  readonly state: Pick<StateStore, 'alerts' | 'transaction'>
  readonly randomBytes: Runtime['randomBytes']
}

/** An alert with its comments and its first and last matches. */
export type AlertDetail = {
  readonly alert: Alert
  readonly comments: readonly AlertComment[]
  readonly evidence: readonly (AlertEvidence & { readonly eventId: string | undefined })[]
}

/** A requested change of an alert. */
export type AlertUpdate = Omit<AlertChange, 'by'> & { readonly comment?: string }

/** The alert to change and its expected versions; undefined for any. */
type AlertUpdateRequest = {
  readonly id: string
  readonly update: AlertUpdate
  readonly versions: ExpectedVersions
}

/** Lists alerts of a tenant, page by page. */
export async function listAlerts(deps: AlertDeps, tenant: TenantId, request: ListRequest): Promise<ListPage<Alert>> {
  return await readListPage(deps, { tenant, endpoint: 'alerts' }, { ...request, order: addTime(request.order) }, deps.state.alerts)
}

const instants: ReadonlySet<string> = new Set(Object.entries(alertFields).flatMap(([name, { kind }]) => (kind === 'instant' ? [name] : [])))

/** Sorts alerts with an equal last key by their time, which the ids begin with: the indexes go on with it. */
function addTime(order: readonly SortKey[]): readonly SortKey[] {
  const last = order.at(-1)
  if (last === undefined || order.length >= limits.state.sortKeysMax || instants.has(last.field)) return order
  return [...order, { field: 'created_at', direction: last.direction }]
}

/** Gets an alert by its id, or by the id of one of its matches. @throws AppError NOT_FOUND. */
export async function getAlert({ state: { alerts }, keys }: AlertDeps, tenant: TenantId, id: string): Promise<AlertDetail> {
  const alert = (await alerts.get(tenant, id)) ?? (await findAlertByMatch({ alerts }, tenant, id))
  return await loadAlertDetail({ alerts, keys }, tenant, requireFound(alert, 'alert'))
}

/**
 * Changes an alert, adds a comment, or both, and records it in the audit trail. A request that changes nothing is neither
 * recorded nor published.
 *
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED with the current version; INVALID_BODY for an assignee who is not an
 *   active user; CONFLICT at the limit of comments.
 */
export async function updateAlert(
  deps: AlertDeps,
  caller: Principal,
  { id, update, versions }: AlertUpdateRequest,
): Promise<AlertDetail> {
  const { tenant } = caller
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const before = requireFound(await stores.alerts.get(tenant, id), 'alert')
    checkVersion(before, versions, 'alert')
    const { comment: text, ...wanted } = update
    const by = await nameActor(stores, caller)
    const change = { ...wanted, by, ...(await resolveAssignee(stores, tenant, wanted.assignee)) }
    const comment = text === undefined ? undefined : { id: createUuidV7(at, deps.randomBytes), author: by, text }
    const isNoChange = comment === undefined && changeAlert(before, change, at) === before
    if (isNoChange) return await loadAlertDetail({ ...stores, keys: deps.keys }, tenant, before)
    if (comment !== undefined) await checkCommentLimit(stores, tenant, id)
    const changing = { ...change, ...(comment && { comment }) }
    const after = unwrapChange(await stores.alerts.update(tenant, id, changing, { expectedVersion: before.version, at }), 'alert')
    await recordAudit(stores, caller, {
      at, action: 'alert.update', target: { type: 'alert', id },
      diff: { ...diffAlerts(before, after), ...(comment && { comment: [null, comment.text] }) },
    })
    return await loadAlertDetail({ ...stores, keys: deps.keys }, tenant, after)
  })
}

async function findAlertByMatch({ alerts }: Pick<Stores, 'alerts'>, tenant: TenantId, matchId: string): Promise<Alert | undefined> {
  const id = await alerts.alertOfMatch(tenant, matchId)
  return id === undefined ? undefined : await alerts.get(tenant, id)
}

async function loadAlertDetail(
  { alerts, keys }: Pick<Stores, 'alerts'> & Pick<CursorDeps, 'keys'>, tenant: TenantId, alert: Alert,
): Promise<AlertDetail> {
  const ids = createEventIds(keys.cursor, tenant)
  const evidence = await alerts.evidence(tenant, alert.id)
  return {
    alert,
    comments: await alerts.comments(tenant, alert.id),
    evidence: evidence.map((one) => ({ ...one, eventId: one.eventRef && ids.print(one.eventRef) })),
  }
}

/** Whether an alert can have one more comment. */
export async function hasRoomForComment({ alerts }: Pick<Stores, 'alerts'>, tenant: TenantId, id: string): Promise<boolean> {
  return (await alerts.comments(tenant, id)).length < limits.lists.commentsMax
}

async function checkCommentLimit(stores: Pick<Stores, 'alerts'>, tenant: TenantId, id: string): Promise<void> {
  const { commentsMax } = limits.lists
  if (await hasRoomForComment(stores, tenant, id)) return
  throw new AppError('CONFLICT', `the alert has reached its limit of ${commentsMax} comments`, { limit: commentsMax })
}

function diffAlerts(before: Alert, after: Alert): { readonly [name: string]: readonly [unknown, unknown] } {
  const names = ['status', 'verdict', 'assignee'] as const
  const changed = names.filter((name) => before[name] !== after[name])
  const print = (alert: Alert, name: (typeof names)[number]): unknown =>
    name === 'status' ? toAlertStatusWord(alert.status) : alert[name] ?? null
  return Object.fromEntries(changed.map((name) => [name, [print(before, name), print(after, name)]]))
}
