import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { changeAlert } from '@tripline/model/alert'
import type { Alert, AlertChange } from '@tripline/model/alert'
import { toAlertStatusWord } from '@tripline/model/alert-status'
import type { AlertStatusWord } from '@tripline/model/alert-status'
import type { AlertBefore } from '@tripline/model/bulk-change'
import { createUuidV7 } from '@tripline/model/ids'
import type { Stores } from '@tripline/state/ports/state-store'
import { notFound } from '@tripline/state/ports/version-conflict'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { resolveAssignee } from '../../access/resolve-assignee.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { limits } from '../../limits.ts'
import type { AlertSelection } from './alert-selection.ts'
import { hasRoomForComment } from './alerts.ts'
import type { AlertDeps, AlertUpdate } from './alerts.ts'

/** Which alerts to change, and how. */
type BulkRequest = {
  readonly alerts: { readonly ids: readonly string[] } | { readonly selection: AlertSelection }
  /** Refuses the change if another number of alerts is selected. */
  readonly expectTotal: number | undefined
  readonly update: AlertUpdate
  /** The statuses of the alerts that may change; undefined for all. */
  readonly onlyStatus: readonly AlertStatusWord[] | undefined
  readonly isDryRun: boolean
}

/** What became of the selected alerts; a failed one is as it was. */
export type BulkCounts = {
  readonly matched: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: readonly BulkFailure[]
}
type BulkFailure = { readonly id: string; readonly code: 'NOT_FOUND' | 'PRECONDITION_FAILED' | 'CONFLICT' }

/** The change, how many alerts were left out by their status, and until when it can be taken back: undefined for no change. */
export type BulkResult = BulkCounts & {
  readonly kept: number
  readonly ruleCount: number
  readonly undo: { readonly id: string; readonly expiresAt: number } | undefined
}

const noCounts: BulkCounts = { matched: 0, changed: 0, unchanged: 0, failed: [] }

/**
 * Changes many alerts as `updateAlert` changes one. Each transaction changes some, records these in one entry of the audit trail and
 * keeps what they were, so that a server that is killed in between has recorded exactly what it changed, and can take it back.
 *
 * @throws AppError CONFLICT for more alerts than the limit, and for another number than was expected; INVALID_BODY for an assignee who
 *   is not an active user.
 */
export async function changeAlerts(deps: AlertDeps, caller: Principal, request: BulkRequest): Promise<BulkResult> {
  const { tenant } = caller
  const ids = await selectIds(deps, caller, request)
  const at = deps.clock.now()
  const bulkId = createUuidV7(at, deps.randomBytes)
  const expiresAt = at + limits.alertBulk.undoMs
  let counts = noCounts
  let kept = 0
  const rules = new Set<string>()
  let part = 0
  const { transactionAlertsMax } = limits.alertBulk
  for (let start = 0; start < ids.length; start += transactionAlertsMax) {
    const chunk = ids.slice(start, start + transactionAlertsMax)
    const done = await deps.state.transaction(async (stores) => {
      if (part === 0) await stores.bulkChanges.removeOld(tenant, at)
      const { update, onlyStatus, isDryRun } = request
      const terms = { caller, at, update, onlyStatus, isDryRun, ids: chunk }
      const { before, keptCount, ruleIds, ...done } = await changeChunk(deps, stores, terms)
      kept += keptCount
      for (const id of ruleIds) rules.add(id)
      if (isDryRun || before.length === 0) return done
      await stores.bulkChanges.insert(tenant, { id: bulkId, part, userId: caller.actor.id, expiresAt, before })
      const { comment, ...set } = update
      const diff = { set: { ...set, ...(comment !== undefined && { comment }) }, alerts: before.map(({ id }) => id) }
      await recordAudit(stores, caller, { at, action: 'alert.bulk_update', target: { type: 'bulk_change', id: bulkId }, diff })
      part++
      return done
    })
    counts = addCounts(counts, done)
    await othersFirst()
  }
  return { ...counts, kept, ruleCount: rules.size, undo: part === 0 ? undefined : { id: bulkId, expiresAt } }
}

/**
 * Takes a change of many alerts back, once and within its time: an alert that was changed since stays as it is and fails.
 *
 * @throws AppError NOT_FOUND for a change that is unknown, of another user, too old or taken back already.
 */
export async function undoBulkChange(deps: AlertDeps, caller: Principal, id: string): Promise<BulkCounts> {
  const { tenant, actor } = caller
  const at = deps.clock.now()
  const parts = await deps.state.transaction((stores) => stores.bulkChanges.get(tenant, id))
  const own = parts.filter(({ userId, expiresAt }) => userId === actor.id && expiresAt >= at)
  if (own.length === 0) throw notFound('change to take back')
  let counts = noCounts
  for (const { part, before } of own) {
    counts = addCounts(counts, await deps.state.transaction(async (stores) => {
      if (!await stores.bulkChanges.remove(tenant, id, part)) return noCounts
      const done = await restoreAlerts(stores, caller, { at, before })
      const failed = new Set(done.failed.map((failure) => failure.id))
      const restored = before.map((alert) => alert.id).filter((alertId) => !failed.has(alertId))
      if (restored.length === 0) return done
      const diff = { alerts: restored }
      await recordAudit(stores, caller, { at, action: 'alert.bulk_undo', target: { type: 'bulk_change', id }, diff })
      return done
    }))
    await othersFirst()
  }
  return counts
}

function addCounts(one: BulkCounts, other: BulkCounts): BulkCounts {
  return {
    matched: one.matched + other.matched, changed: one.changed + other.changed, unchanged: one.unchanged + other.unchanged,
    failed: [...one.failed, ...other.failed],
  }
}

async function selectIds({ state }: AlertDeps, { tenant }: Principal, { alerts, expectTotal }: BulkRequest): Promise<readonly string[]> {
  const { alertsMax } = limits.alertBulk
  const ids = 'ids' in alerts
    ? [...new Set(alerts.ids)]
    : (await state.alerts.newest(tenant, alerts.selection, { limit: alertsMax + 1 })).map(({ id }) => id)
  if (ids.length > alertsMax) {
    throw new AppError('CONFLICT', `the filter selects more than ${alertsMax} alerts; narrow it`, { limit: alertsMax })
  }
  if (expectTotal !== undefined && expectTotal !== ids.length) {
    throw new AppError('CONFLICT', `${ids.length} alerts are selected, not ${expectTotal}; nothing was changed`, { matched: ids.length })
  }
  return ids
}

type Chunk = {
  readonly caller: Principal
  readonly at: number
  readonly update: AlertUpdate
  readonly onlyStatus: readonly AlertStatusWord[] | undefined
  readonly isDryRun: boolean
  readonly ids: readonly string[]
}

type ChunkResult = BulkCounts & {
  readonly before: readonly AlertBefore[]
  readonly keptCount: number
  readonly ruleIds: ReadonlySet<string>
}

async function changeChunk(
  { randomBytes }: AlertDeps, stores: Stores, { caller, at, update, onlyStatus, isDryRun, ids }: Chunk,
): Promise<ChunkResult> {
  const { tenant } = caller
  const { comment: text, ...wanted } = update
  const by = (await stores.users.get(tenant, caller.actor.id))?.email ?? caller.actor.id
  const change: AlertChange = { ...wanted, by, ...(await resolveAssignee(stores, tenant, wanted.assignee)) }
  const failed: BulkFailure[] = []
  const before: AlertBefore[] = []
  const ruleIds = new Set<string>()
  let [unchanged, keptCount] = [0, 0]
  for (const id of ids) {
    const alert = await stores.alerts.get(tenant, id)
    if (alert !== undefined) ruleIds.add(alert.ruleId)
    if (alert === undefined) failed.push({ id, code: 'NOT_FOUND' })
    else if (onlyStatus?.includes(toAlertStatusWord(alert.status)) === false) keptCount++
    else if (text === undefined && changeAlert(alert, change, at) === alert) unchanged++
    else if (text !== undefined && !await hasRoomForComment(stores, tenant, id)) failed.push({ id, code: 'CONFLICT' })
    else {
      const comment = text === undefined ? {} : { comment: { id: createUuidV7(at, randomBytes), author: by, text } }
      before.push(toBefore(alert))
      if (!isDryRun) await stores.alerts.update(tenant, id, { ...change, ...comment }, { expectedVersion: alert.version, at })
    }
  }
  const missing = failed.filter(({ code }) => code === 'NOT_FOUND').length
  return { matched: ids.length - missing, changed: before.length, unchanged, failed, before, keptCount, ruleIds }
}

/** The alert before a change that gives it the next version. */
function toBefore({ id, status, verdict, assignee, reviewed, reopenedCount, version }: Alert): AlertBefore {
  return { id, status, verdict, assignee, reviewed, reopenedCount, version: version + 1 }
}

async function restoreAlerts(
  { alerts, users }: Stores, { tenant, actor }: Principal, { at, before }: { readonly at: number; readonly before: readonly AlertBefore[] },
): Promise<BulkCounts> {
  const failed: BulkFailure[] = []
  let [changed, unchanged] = [0, 0]
  const by = (await users.get(tenant, actor.id))?.email ?? actor.id
  for (const { id, version, assignee = null, status, verdict, reviewed, reopenedCount } of before) {
    const change = { status, verdict, assignee, by, restored: { reviewed, reopenedCount } }
    const { outcome } = await alerts.update(tenant, id, change, { expectedVersion: version, at })
    if (outcome === 'changed') changed++
    else if (outcome === 'unchanged') unchanged++
    else failed.push({ id, code: outcome === 'missing' ? 'NOT_FOUND' : 'PRECONDITION_FAILED' })
  }
  return { matched: before.length, changed, unchanged, failed }
}
