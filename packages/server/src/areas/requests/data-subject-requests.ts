import type { Clock, Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { computeClosedAt, computeDueAt } from '@tripline/model/compliance/data-subject-request'
import type { DataSubjectRequest, DataSubjectRequestFacts } from '@tripline/model/compliance/data-subject-request'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { checkVersion, notFound, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { recordAudit } from '../../audit/record-audit.ts'

/** What the register of requests needs of the server. */
export type DataSubjectRequestDeps = {
  readonly state: StateStore
  readonly clock: Pick<Clock, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

type Stated = Omit<DataSubjectRequestFacts, 'receivedAt' | 'dueAt'> & Partial<Pick<DataSubjectRequestFacts, 'receivedAt' | 'dueAt'>>

const kind = 'data subject request'

/** Enters a request in the register. The trail tells of it without saying who made it. */
export async function createDataSubjectRequest(
  { state, clock, randomBytes }: DataSubjectRequestDeps, caller: Principal, stated: Stated,
): Promise<DataSubjectRequest> {
  const at = clock.now()
  const { receivedAt = at, dueAt = computeDueAt(stated.law, receivedAt) } = stated
  checkDates({ receivedAt, dueAt })
  const request: DataSubjectRequest = {
    ...stated, id: createUuidV7(at, randomBytes), receivedAt, dueAt, closedAt: computeClosedAt(undefined, stated.status, at), version: 1,
    createdAt: at, updatedAt: at,
  }
  await state.transaction(async (stores) => {
    await stores.dataSubjectRequests.insert(caller.tenant, request)
    const diff = { type: request.type, law: request.law, status: request.status }
    await recordAudit(stores, caller, { at, action: 'dsr.create', target: { type: 'dsr', id: request.id }, diff })
  })
  return request
}

/** @throws AppError NOT_FOUND. */
export async function getDataSubjectRequest(
  { state }: Pick<DataSubjectRequestDeps, 'state'>, tenant: TenantId, id: string,
): Promise<DataSubjectRequest> {
  return requireFound(await state.dataSubjectRequests.get(tenant, id), kind)
}

/** Changes a request; one that changes nothing is neither recorded nor counted. @throws AppError NOT_FOUND, PRECONDITION_FAILED. */
export async function changeDataSubjectRequest(
  { state, clock }: DataSubjectRequestDeps, caller: Principal, id: string,
  { change, versions }: { readonly change: Partial<DataSubjectRequestFacts>; readonly versions: ExpectedVersions },
): Promise<DataSubjectRequest> {
  const at = clock.now()
  return await state.transaction(async (stores) => {
    const before = requireFound(await stores.dataSubjectRequests.get(caller.tenant, id), kind)
    checkVersion(before, versions, kind)
    const names = Object.keys(change) as (keyof DataSubjectRequestFacts)[]
    const fields = names.filter((name) => change[name] !== undefined && change[name] !== before[name])
    if (fields.length === 0) return before
    checkDates({ ...before, ...change })
    const changed = unwrapChange(
      await stores.dataSubjectRequests.update(caller.tenant, id, change, { expectedVersion: before.version, at }), kind,
    )
    const diff = { fields: fields.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)), status: changed.status }
    await recordAudit(stores, caller, { at, action: 'dsr.update', target: { type: 'dsr', id }, diff })
    return changed
  })
}

/** @throws AppError NOT_FOUND. */
export async function removeDataSubjectRequest({ state, clock }: DataSubjectRequestDeps, caller: Principal, id: string): Promise<void> {
  await state.transaction(async (stores) => {
    if (!await stores.dataSubjectRequests.remove(caller.tenant, id)) throw notFound(kind)
    await recordAudit(stores, caller, { at: clock.now(), action: 'dsr.delete', target: { type: 'dsr', id } })
  })
}

function checkDates({ receivedAt, dueAt }: Pick<DataSubjectRequestFacts, 'receivedAt' | 'dueAt'>): void {
  if (dueAt < receivedAt) throw new AppError('INVALID_BODY', "due_at: must not be before 'received_at'")
}
