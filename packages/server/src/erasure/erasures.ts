import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { SubjectText } from '@tripline/model/compliance/erasure'
import type { Erasure } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { nameActor } from '../audit/name-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { ErasureRunner } from './erasure-runner.ts'

/** What erasures need of the server. */
export type ErasureDeps = {
  readonly state: StateStore
  readonly clock: Pick<Runtime, 'now'>
  readonly runner: Pick<ErasureRunner, 'wake' | 'seal'>
}

/**
 * Begins to erase a person's data, for a request in the register. The trail tells of it without naming the person.
 *
 * @throws AppError NOT_FOUND for an unknown request; CONFLICT for one that is not about erasure, that is being carried out, or whose
 * person is a user.
 */
export async function beginErasure(
  { state, clock, runner }: ErasureDeps, caller: Principal, requestId: string, identifiers: readonly string[],
): Promise<Erasure> {
  const { tenant } = caller
  const at = clock.now()
  const erasure = await state.transaction(async (stores) => {
    const { type } = requireFound(await stores.dataSubjectRequests.get(tenant, requestId), 'data subject request')
    if (type !== 'erasure') throw new AppError('CONFLICT', `this request is about ${type}; enter one of type erasure`)
    if ((await stores.erasures.listUnfinished(tenant)).some((other) => other.requestId === requestId)) {
      throw new AppError('CONFLICT', 'this erasure is being carried out; wait until it has ended')
    }
    const subject = new SubjectText(identifiers)
    const user = (await stores.users.list(tenant)).find(({ email, name }) => subject.isIn(email) || subject.isIn(name))
    if (user !== undefined) throw new AppError('CONFLICT', `'${user.email}' is a user of the tenant; remove the user first`)
    const begun: Erasure = {
      requestId, status: 'queued', sealedIdentifiers: runner.seal(tenant, requestId, identifiers),
      requestedBy: await nameActor(stores, caller), requestedAt: at, finishedAt: undefined, eventCount: 0, rowCount: 0, kept: [],
      error: '',
    }
    await stores.erasures.put(tenant, begun)
    const diff = { identifiers: identifiers.length }
    await recordAudit(stores, caller, { at, action: 'dsr.erase', target: { type: 'dsr', id: requestId }, diff })
    return begun
  })
  runner.wake(tenant)
  return erasure
}

/** @throws AppError NOT_FOUND for a request that was never carried out. */
export async function getErasure({ state }: Pick<ErasureDeps, 'state'>, tenant: TenantId, requestId: string): Promise<Erasure> {
  return requireFound(await state.erasures.get(tenant, requestId), 'erasure')
}
