import { getErrorMessage } from '@tripline/common/error-message'
import { isJsonObject } from '@tripline/common/json'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { printHeader, readHeader } from '@tripline/detection/stages/checkpoint-header'
import type { Tenant, TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore } from '@tripline/state/ports/state-store'
import { isTransientStateError } from '@tripline/state/ports/store-error'
import type { EventStore } from '@tripline/storage/events/event-store'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { limits } from '../limits.ts'
import { RetentionClock } from './retention-clock.ts'

/** The stores that retention applies to. */
export type RetentionDeps = {
  readonly state: StateStore
  readonly events: EventStore
  readonly retentionClock: Pick<RetentionClock, 'check'>
  /** Settings of tenants that do not set their own. */
  readonly settingDefaults: TenantSettings
}

/** What a run reports beside what it removes. */
export type RetentionReport = {
  /** Called for data that could not be removed; the rest is removed all the same. */
  readonly onFailure: (tenant: TenantId, what: string, error: unknown) => void
  /** Called when the clock is not plausible; then nothing is removed. */
  readonly onImplausibleClock: (problem: string) => void
  /** Called for each tenant that data was removed from, with the counts that its audit trail records. */
  readonly onRemoved: (tenant: TenantId, removed: RemovedCounts) => void
}

/** The number of things removed, by kind. */
type RemovedCounts = { readonly [what: string]: number }

const stageName = 'retention'

/**
 * Removes data that is older than the tenants' retention settings: days of events, alerts by last change, audit entries, and
 * ended sessions. Events go to a trash for a day. Alerts and audit entries are removed a day after a run found them expired,
 * by the setting of that time or the present one, whichever keeps more. Stops early when the signal aborts.
 */
export async function applyRetention(deps: RetentionDeps, report: RetentionReport, signal?: AbortSignal): Promise<void> {
  const tenants = await deps.state.tenants.list()
  const heads = new Map<TenantId, RetentionHead>()
  for (const { id } of tenants) heads.set(id, await loadHead(deps.state, id))
  const { nowMs, problem } = deps.retentionClock.check()
  if (problem !== undefined) {
    report.onImplausibleClock(problem)
    return
  }
  for (const tenant of tenants) {
    if (signal?.aborted === true) return
    await applyToTenant(deps, tenant, { nowMs, head: heads.get(tenant.id)!, report, signal })
  }
}

/**
 * Opens the clock of a new process: it is compared with what is stored, before anything of this process is. Until a run, the newest
 * event that a start found stays what later starts compare with: what a process with a wrong clock stored, such as its own findings,
 * must not make that clock plausible at the next start.
 */
export async function openRetentionClock(
  clock: Pick<Runtime, 'now' | 'elapsedMs'>, trustedAt: number | undefined, { state, events }: Pick<RetentionDeps, 'state' | 'events'>,
  log?: Pick<Log, 'warn'>,
): Promise<RetentionClock> {
  const heads = new Map<TenantId, RetentionHead>()
  const newest: (number | undefined)[] = []
  for (const { id } of await state.tenants.list()) {
    heads.set(id, await loadHead(state, id))
    newest.push((await events.stats(id)).newestAt)
  }
  const lastRunAt = findLatest([...heads.values()].map((head) => head.lastRunAt))
  const foundAt = findLatest([...heads.values()].map((head) => head.newestEventAt))
  const newestEventAt = foundAt ?? findLatest(newest)
  const opened = new RetentionClock(clock, trustedAt, { lastRunAt, newestEventAt })
  // A time that was confirmed is what the next start may rely on.
  const keptAt = trustedAt === undefined || opened.check().problem !== undefined ? newestEventAt : clock.now()
  if (lastRunAt === undefined && keptAt !== undefined && keptAt !== foundAt) {
    try {
      for (const [tenant, head] of heads) await saveHead(state, tenant, { ...head, newestEventAt: keptAt })
    } catch (error) {
      // A server on a full disk starts, and answers reads.
      if (!isTransientStateError(error)) throw error
      log?.warn('what retention compares the clock with could not be stored', { error: getErrorMessage(error) })
    }
  }
  return opened
}

async function saveHead({ checkpoints }: Pick<StateStore, 'checkpoints'>, tenant: TenantId, head: RetentionHead): Promise<void> {
  await checkpoints.save(tenant, stageName, { put: new Map([['head', printHead(head)]]) })
}

async function loadHead({ checkpoints }: Pick<StateStore, 'checkpoints'>, tenant: TenantId): Promise<RetentionHead> {
  return parseHead(readHeader(await checkpoints.load(tenant, stageName, 'head')))
}

type TenantRun = {
  readonly nowMs: number
  readonly head: RetentionHead
  readonly report: RetentionReport
  readonly signal: AbortSignal | undefined
}

async function applyToTenant(deps: RetentionDeps, tenant: Tenant, run: TenantRun): Promise<void> {
  const { nowMs, head, report, signal } = run
  const pending = new Map(head.pending)
  const removed: { [what: string]: number } = {}
  for (const [what, remove] of Object.entries(createRetentionTasks(deps, tenant, { ...run, pending }))) {
    if (signal?.aborted === true) return
    try {
      for (const [name, count] of Object.entries(await remove())) if (count > 0) removed[name] = count
    } catch (error) {
      report.onFailure(tenant.id, what, error)
    }
    await yieldToOthers()
  }
  try {
    await deps.state.transaction(async ({ checkpoints, audit }) => {
      await saveHead({ checkpoints }, tenant.id, { lastRunAt: nowMs, newestEventAt: undefined, pending })
      if (Object.keys(removed).length === 0) return
      const actor = { type: 'system', id: 'retention', email: undefined } as const
      await audit.append(tenant.id, {
        at: nowMs, actor, action: 'retention.apply', target: { type: 'tenant', id: tenant.id }, outcome: 'success', diff: removed,
        ip: undefined, userAgent: undefined, requestId: undefined,
      })
    })
  } catch (error) {
    report.onFailure(tenant.id, 'the record of the run', error)
  }
  if (Object.keys(removed).length > 0) report.onRemoved(tenant.id, removed)
}

type RetentionTask = () => Promise<RemovedCounts>

function createRetentionTasks(
  { state, events, settingDefaults }: RetentionDeps, tenant: Tenant, run: TenantRun & { readonly pending: Map<string, PendingRemoval> },
): { readonly [what: string]: RetentionTask } {
  const { nowMs, signal, pending } = run
  const { eventsRetentionDays, alertsRetentionDays, auditRetentionDays } = resolveSettings(tenant, settingDefaults)
  const { auditRetentionDaysMin, retentionAlertsMax: limit } = limits.tenantSettings
  const daysAgo = (days: number): number => nowMs - days * 86_400_000
  /** Removes what a run at least a day ago found expired, then schedules what is expired now. */
  const removeLater = async (what: string, cutoff: number, remove: (before: number) => Promise<number>): Promise<RemovedCounts> => {
    const scheduled = pending.get(what)
    if (scheduled !== undefined && nowMs - scheduled.foundAt < limits.retention.trashMs) return {}
    const count = scheduled === undefined ? 0 : await remove(Math.min(scheduled.before, cutoff))
    pending.set(what, { before: cutoff, foundAt: nowMs })
    return { [what]: count }
  }
  return {
    trash: async () => ({ trash_files: await events.purgeTrash(tenant.id, nowMs - limits.retention.trashMs) }),
    events: async () => {
      const { droppedDays, droppedEvents } = await events.retain(tenant.id, daysAgo(eventsRetentionDays), nowMs)
      return { event_days: droppedDays, events: droppedEvents }
    },
    alerts: () => removeLater('alerts', daysAgo(alertsRetentionDays), async (before) => {
      let count = 0
      for (let some: number = limit; some === limit && signal?.aborted !== true; count += some) {
        some = await state.alerts.removeOld(tenant.id, { before, limit })
        await yieldToOthers()
      }
      return count
    }),
    incidents: () => removeLater('incidents', daysAgo(alertsRetentionDays), async (before) => {
      let count = 0
      for (let some: number = limit; some === limit && signal?.aborted !== true; count += some) {
        some = await state.incidents.removeOld(tenant.id, { before, limit })
        await yieldToOthers()
      }
      return count
    }),
    playbook_runs: () => removeLater('playbook_runs', daysAgo(alertsRetentionDays), (before) =>
      state.playbooks.removeOldRuns(tenant.id, { before, limit })),
    // Assets that only events told of, and what happened to the others.
    assets: () => removeLater('assets', daysAgo(alertsRetentionDays), (before) => state.assets.removeOld(tenant.id, before)),
    audit_entries: () => removeLater('audit_entries', daysAgo(Math.max(auditRetentionDays, auditRetentionDaysMin)),
      (before) => state.audit.removeOld(tenant.id, before)),
    indicators: () => removeLater('indicators', nowMs - limits.retention.endedIndicatorMs, async (before) => {
      const { endedIndicatorsAtOnceMax: limit } = limits.retention
      let count = 0
      for (let some: number = limit; some === limit && signal?.aborted !== true; count += some) {
        some = await state.indicators.removeEnded(tenant.id, { before, limit })
        await yieldToOthers()
      }
      return count
    }),
    // Copies of changes, whose subjects have a retention of their own; so they are not on the trail.
    domain_events: async () => {
      await state.domainEvents.removeOld(tenant.id, nowMs - limits.domainEvents.keptMs)
      return {}
    },
    // Copies of events; what they are about has a retention of its own.
    webhook_deliveries: async () => {
      const { keptMs, removedAtOnceMax } = limits.webhooks
      const before = nowMs - keptMs
      for (let some: number = removedAtOnceMax; some === removedAtOnceMax && signal?.aborted !== true;) {
        some = await state.webhookDeliveries.removeOld(tenant.id, { before, limit: removedAtOnceMax })
        await yieldToOthers()
      }
      return {}
    },
    channel_messages: async () => {
      const { keptMs, removedAtOnceMax } = limits.webhooks
      const before = nowMs - keptMs
      for (let some: number = removedAtOnceMax; some === removedAtOnceMax && signal?.aborted !== true;) {
        some = await state.channelMessages.removeOld(tenant.id, { before, limit: removedAtOnceMax })
        await yieldToOthers()
      }
      return {}
    },
    sessions: async () => ({ sessions: await state.sessions.removeOld(tenant.id, nowMs - limits.auth.sessionLifetimeMs) }),
  }
}

/** Things older than `before` that a run found at `foundAt`. */
type PendingRemoval = { readonly before: number; readonly foundAt: number }

/** What retention remembers of a tenant. */
type RetentionHead = {
  readonly lastRunAt: number | undefined
  /** Before the first run: the newest event of all tenants that a start found, or the time that was confirmed at one. */
  readonly newestEventAt: number | undefined
  readonly pending: ReadonlyMap<string, PendingRemoval>
}

function parseHead(head: { readonly [name: string]: unknown } | undefined): RetentionHead {
  const lastRunAt = head?.['lastRunAt']
  const newestEventAt = head?.['newestEventAt']
  const pending = head?.['pending']
  const entries = isJsonObject(pending) ? Object.entries(pending) : []
  return {
    lastRunAt: typeof lastRunAt === 'number' ? lastRunAt : undefined,
    newestEventAt: typeof newestEventAt === 'number' ? newestEventAt : undefined,
    pending: new Map(entries.flatMap(([what, value]) =>
      isJsonObject(value) ? [[what, { before: Number(value['before']), foundAt: Number(value['foundAt']) }]] : [])),
  }
}

function printHead({ lastRunAt, newestEventAt, pending }: RetentionHead): Uint8Array {
  return printHeader({ lastRunAt, newestEventAt, pending: Object.fromEntries(pending) })
}

function findLatest(instants: readonly (number | undefined)[]): number | undefined {
  return instants.reduce((latest, at) => (at === undefined || (latest !== undefined && latest > at) ? latest : at), undefined)
}
