import { isJsonObject } from '@tripline/common/json'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { AuditFacts, AuditOccurrence, AuditRecorder } from '@tripline/model/audit'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { toAppError } from '../errors/to-app-error.ts'
import { limits } from '../limits.ts'
import { redactValue } from '../runtime/redact.ts'

type AuditAggregatorOptions = {
  readonly state: Pick<StateStore, 'transaction'>
  readonly clock: Pick<Runtime, 'now'>
  readonly log: Pick<Log, 'warn'>
}

type Group = { readonly first: AuditOccurrence; figures: AuditOccurrence['figures']; firstAt: number; lastAt: number; count: number }

/** The groups of a tenant in this window, and how many of them each source has. */
type Window = { readonly groups: Map<string, Group>; readonly sizes: Map<string, number> }

/**
 * Aggregates repeated occurrences by all that tells them apart within a time window, and appends one entry for each to the
 * audit trail. Noting costs a map lookup and never waits; the groups of a source and of a tenant are bounded, and what goes
 * beyond is counted by action. A group leaves memory before it is written, so a crash loses a window and counts nothing
 * twice.
 */
export class AuditAggregator implements AuditRecorder {
  readonly #options: AuditAggregatorOptions
  #windows = new Map<TenantId, Window>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(options: AuditAggregatorOptions) {
    this.#options = options
  }

  /** Counts an occurrence. */
  note(occurrence: AuditOccurrence): void {
    const at = this.#options.clock.now()
    this.#add({ first: occurrence, figures: occurrence.figures, firstAt: at, lastAt: at, count: 1 })
  }

  /** Writes one entry for each group, in transactions of a few; groups that cannot be written are kept for the next time. */
  flush(): Promise<void> {
    const flushing = this.#flushing.then(() => this.#flushWindows())
    this.#flushing = flushing.catch(() => undefined)
    return flushing
  }

  async #flushWindows(): Promise<void> {
    const windows = this.#windows
    this.#windows = new Map()
    const failures: unknown[] = []
    for (const [tenant, { groups }] of windows) {
      const waiting = [...groups.values()]
      while (waiting.length > 0) {
        const batch = waiting.splice(0, limits.audit.entriesAtOnceMax)
        try {
          await this.#write(tenant, batch)
        } catch (error) {
          for (const group of [...batch, ...waiting.splice(0)]) this.#add(group)
          failures.push(error)
        }
        await othersFirst()
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Appends a batch in one transaction, so that it is written as a whole or not at all. */
  async #write(tenant: TenantId, groups: readonly Group[]): Promise<void> {
    await this.#options.state.transaction(async ({ audit, users, apiKeys, tenants }) => {
      if (await tenants.get(tenant) === undefined) {
        this.#options.log.warn('actions of a tenant that does not exist were not recorded', { tenant, count: groups.length })
        return
      }
      for (const group of groups) {
        const { actor } = group.first
        const user = actor.type === 'user' ? await users.get(tenant, actor.id) : undefined
        const key = actor.type === 'api_key' ? await apiKeys.get(tenant, actor.id) : undefined
        await audit.append(tenant, toAuditFacts(group, user?.email ?? (key && `apikey:${key.name}`)))
      }
    })
  }

  #add(group: Group): void {
    const { tenant } = group.first
    const window = this.#windows.get(tenant) ?? { groups: new Map<string, Group>(), sizes: new Map<string, number>() }
    this.#windows.set(tenant, window)
    const source = getSource(group.first)
    const { entriesPerSourceMax, entriesPerTenantMax } = limits.audit
    if (merge(window, group)) return
    const isSourceFull = (window.sizes.get(source) ?? 0) >= entriesPerSourceMax
    const isTenantFull = window.groups.size >= entriesPerTenantMax
    if (!isSourceFull && !isTenantFull) return insert(window, source, group)
    const summary = { ...group, first: summarize(group.first, isTenantFull ? 'tenant' : 'source') }
    if (!merge(window, summary)) insert(window, getSource(summary.first), summary)
  }
}

/** The outcome of an action that failed: refused for a missing permission, else failed, with the reason. */
export function describeAuditFailure(error: unknown): Pick<AuditOccurrence, 'outcome'> & { readonly reason: string } {
  const refusal = toAppError(error)
  if (refusal === undefined) return { outcome: 'failed', reason: 'internal_error' }
  return { outcome: refusal.code === 'FORBIDDEN' ? 'refused' : 'failed', reason: refusal.code.toLowerCase() }
}

/** All that tells occurrences apart. */
function getKey({ actor, action, target, outcome, circumstances, details }: AuditOccurrence): string {
  return JSON.stringify([actor.type, actor.id, action, target.type, target.id, outcome, circumstances.ip, details])
}

/** Whose entries are bounded together. */
function getSource({ actor, isClaimed }: AuditOccurrence): string {
  return isClaimed === true ? 'logins' : JSON.stringify([actor.type, actor.id])
}

function merge({ groups }: Window, { first, figures, firstAt, lastAt, count }: Group): boolean {
  const known = groups.get(getKey(first))
  if (known === undefined) return false
  known.count += count
  known.firstAt = Math.min(known.firstAt, firstAt)
  if (lastAt < known.lastAt) return true
  known.lastAt = lastAt
  known.figures = figures
  return true
}

function insert({ groups, sizes }: Window, source: string, group: Group): void {
  groups.set(getKey(group.first), { ...group })
  sizes.set(source, (sizes.get(source) ?? 0) + 1)
}

/** The entry that counts all further occurrences of an action, of one source or of the whole tenant. */
function summarize({ tenant, actor, action, outcome, isClaimed }: AuditOccurrence, of: 'source' | 'tenant'): AuditOccurrence {
  const isKnown = of === 'source' && isClaimed !== true
  return {
    tenant, action, outcome, actor: isKnown ? actor : { type: 'system', id: 'audit' },
    target: { type: 'summary', id: action }, details: { is_summary: true },
    circumstances: { ip: undefined, userAgent: undefined, requestId: undefined },
  }
}

function toAuditFacts({ first, figures, firstAt, lastAt, count }: Group, email: string | undefined): AuditFacts {
  const { actor, action, target, outcome, circumstances: { ip, userAgent, requestId }, details } = first
  const diff = redactValue({ ...details, ...figures, count, ...(count > 1 && { last_at: new Date(lastAt).toISOString() }) })
  return {
    at: firstAt, actor: { ...actor, email }, action, target, outcome, ip, userAgent, requestId,
    diff: isJsonObject(diff) ? diff : undefined,
  }
}
