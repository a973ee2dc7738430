import { hashRequest } from '@tripline/common/request-hash'
import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { openSecretBox } from '@tripline/model/access/secret-box'
import type { SecretContext } from '@tripline/model/access/secret-box'
import type { StateStore, StoredResponse } from '@tripline/state/ports/state-store'

export type { StoredResponse }

/** A request with an idempotency key, to be executed once. */
export type IdempotentRequest = {
  readonly caller: Principal
  /** Method and path pattern of its route. */
  readonly route: string
  readonly key: string
  /** What identifies the same request: its URL and body. */
  readonly url: string
  readonly body: Uint8Array
}

/** Dependencies of idempotent requests. */
export type IdempotencyDeps = {
  readonly state: Pick<StateStore, 'idempotencyKeys' | 'tenants'>
  /** The key of the box that responses are sealed in. */
  readonly keys: { readonly box: Uint8Array }
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
}

/**
 * Begins a request, or returns the stored response of its first execution. Keys are separate per principal, because a
 * response may contain secrets that are shown once.
 *
 * @throws AppError CONFLICT while the first one is running, and for a different request under the same key.
 */
export async function beginIdempotentRequest(deps: IdempotencyDeps, request: IdempotentRequest): Promise<StoredResponse | undefined> {
  const { caller, route, key } = request
  const begun = await deps.state.idempotencyKeys.begin(caller.tenant, { route, key }, hashIdempotentRequest(request), deps.clock.now())
  switch (begun.outcome) {
    case 'begun':
      return undefined
    case 'answered':
      return { ...begun.answer, body: openResponseBox(deps).open(toSecretContext(request), begun.answer.body) }
    case 'running':
      throw createKeyConflict('a request with this Idempotency-Key is still in progress; retry later')
    case 'other_body':
      throw createKeyConflict('this Idempotency-Key was used for a different request; use a new key')
  }
}

/** Stores the response of a request for a day, encrypted because it may contain secrets. */
export async function finishIdempotentRequest(deps: IdempotencyDeps, request: IdempotentRequest, answer: StoredResponse): Promise<void> {
  const { caller, route, key } = request
  const sealed = { ...answer, body: openResponseBox(deps).seal(toSecretContext(request), answer.body) }
  await deps.state.idempotencyKeys.finish(caller.tenant, { route, key }, sealed)
}

/** Forgets a failed request so that it can be sent again. */
export async function abandonIdempotentRequest(deps: IdempotencyDeps, { caller, route, key }: IdempotentRequest): Promise<void> {
  await deps.state.idempotencyKeys.abandon(caller.tenant, { route, key })
}

/**
 * Forgets, at start, requests that were running when the server ended. Their outcome is unknown; sending one again executes
 * it.
 */
export async function abandonRunningRequests({ state }: Pick<IdempotencyDeps, 'state'>): Promise<void> {
  for (const { id } of await state.tenants.list()) await state.idempotencyKeys.abandonAll(id)
}

/** Removes stored responses that are older than a day. */
export async function removeOldResponses({ state, clock }: Pick<IdempotencyDeps, 'state' | 'clock'>): Promise<void> {
  for (const { id } of await state.tenants.list()) await state.idempotencyKeys.removeOld(id, clock.now())
}

function createKeyConflict(message: string): AppError {
  return new AppError('CONFLICT', message, { parameter: 'Idempotency-Key' })
}

function hashIdempotentRequest({ caller, url, body }: IdempotentRequest): string {
  return hashRequest([caller.actor.type, caller.actor.id, url], body)
}

function openResponseBox({ keys, randomBytes }: IdempotencyDeps): ReturnType<typeof openSecretBox> {
  return openSecretBox(keys.box, randomBytes)
}

function toSecretContext({ caller, route, key }: IdempotentRequest): SecretContext {
  return { tenant: caller.tenant, owner: `answer of ${route}`, key }
}
