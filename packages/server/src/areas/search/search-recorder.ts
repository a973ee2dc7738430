import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { Principal } from '@tripline/model/access/principal'
import type { StateStore } from '@tripline/state/ports/state-store'
import { recordAudit } from '../../audit/record-audit.ts'
import type { AuditNote } from '../../audit/record-audit.ts'
import { toOutOfSpaceError } from '../../errors/out-of-space.ts'
import { limits } from '../../limits.ts'

/** Records a search in the audit trail before its results are shown. */
export type RecordSearch = (caller: Principal, run: SearchRun) => Promise<void>

type SearchRun = { readonly query: string; readonly from: string; readonly to: string; readonly found: number }

type SearchRecorderDeps = {
  readonly state: Pick<StateStore, 'transaction'>
  readonly clock: Pick<Runtime, 'now'>
  readonly log: Pick<Log, 'warn'>
}

/** Creates the recorder of searches. On a full disk searching must still work, so the log records it instead. */
export function createSearchRecorder({ state, clock, log }: SearchRecorderDeps): RecordSearch {
  const entries = new AuditGroupCommit(state)
  return async (caller, run) => {
    try {
      await entries.append(caller, { at: clock.now(), action: 'search.run', target: { type: 'events', id: 'search' }, diff: run })
    } catch (error) {
      if (toOutOfSpaceError(error) === undefined) throw error
      const { tenant, actor, requestId } = caller
      log.warn('a search could not be recorded in the audit trail', { tenant, actor: actor.id, request_id: requestId, ...run,
        error: getErrorMessage(error) })
    }
  }
}

type WaitingEntry = {
  readonly caller: Principal
  readonly note: AuditNote
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/**
 * Appends audit entries by group commit: an entry is durable when its promise resolves, and those that come while a
 * transaction runs share the next one, so that many searches at once cost few commits.
 */
class AuditGroupCommit {
  readonly #state: Pick<StateStore, 'transaction'>
  #waiting: WaitingEntry[] = []
  #isWriting = false

  constructor(state: Pick<StateStore, 'transaction'>) {
    this.#state = state
  }

  append(caller: Principal, note: AuditNote): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ caller, note, resolve, reject })
    if (!this.#isWriting) void this.#writeAll()
    return promise
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) await this.#writeGroup(this.#waiting.splice(0, limits.audit.entriesAtOnceMax))
    this.#isWriting = false
  }

  /** A group that fails is written one by one: the trail of one tenant must not fail the searches of others. */
  async #writeGroup(group: readonly WaitingEntry[]): Promise<void> {
    try {
      await this.#state.transaction(async (stores) => {
        for (const { caller, note } of group) await recordAudit(stores, caller, note)
      })
    } catch (error) {
      if (group.length > 1) {
        for (const entry of group) await this.#writeGroup([entry])
        return
      }
      for (const { reject } of group) reject(error)
      return
    }
    for (const { resolve } of group) resolve()
  }
}
