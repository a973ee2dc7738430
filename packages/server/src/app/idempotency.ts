import { AppError } from '../domain/app-error.ts'
import type { Caller } from '../domain/principal.ts'
import { requestHash } from '../domain/request-hash.ts'
import { openSecretBox } from '../domain/secret-box.ts'
import type { SecretPlace } from '../domain/secret-box.ts'
import type { KeptAnswer } from '../store/state-store.ts'
import type { App } from './app.ts'

export type { KeptAnswer }

/** A request that is to be done once, however often it is sent (D-41). */
export type OnceRequest = {
  readonly caller: Caller
  /** Method and path of its row. */
  readonly route: string
  readonly key: string
  /** All that makes it the same request again: where it went, and its body. */
  readonly url: string
  readonly body: Uint8Array
}

/** What it takes to do a request once. */
export type OnceApp = Pick<App, 'state' | 'keys' | 'clock' | 'randomBytes'>

/**
 * Begins a request, or gives what was answered to it before. The same key of somebody else is another request: an
 * answer may hold what was shown once.
 *
 * @throws AppError CONFLICT while it runs, and for another request under its key.
 */
export async function beginOnce(app: OnceApp, request: OnceRequest): Promise<KeptAnswer | undefined> {
  const { caller, route, key } = request
  const begun = await app.state.requests.begin(caller.tenant, { route, key }, hashOf(request), app.clock.now())
  switch (begun.outcome) {
    case 'begun':
      return undefined
    case 'answered':
      return { ...begun.answer, body: boxOf(app).open(placeOf(request), begun.answer.body) }
    case 'running':
      throw new AppError('CONFLICT', 'the request with this Idempotency-Key still runs', { parameter: 'Idempotency-Key' })
    case 'other_body':
      throw new AppError('CONFLICT', 'this Idempotency-Key was used for another request', { parameter: 'Idempotency-Key' })
  }
}

/** Keeps the answer to a request for a day, sealed, because it may hold secrets. */
export async function finishOnce(app: OnceApp, request: OnceRequest, answer: KeptAnswer): Promise<void> {
  const { caller, route, key } = request
  const sealed = { ...answer, body: boxOf(app).seal(placeOf(request), answer.body) }
  await app.state.requests.finish(caller.tenant, { route, key }, sealed)
}

/** Forgets a request that came to nothing, so that it may be sent again. */
export async function abandonOnce(app: OnceApp, { caller, route, key }: OnceRequest): Promise<void> {
  await app.state.requests.abandon(caller.tenant, { route, key })
}

/**
 * Forgets, at start, the requests that ran when the server ended. Whether they came to something is not known; who
 * sends one again has it done.
 */
export async function forgetRunning({ state }: Pick<App, 'state'>): Promise<void> {
  for (const { id } of await state.tenants.list()) await state.requests.abandonAll(id)
}

/** Forgets answers that are a day old. */
export async function forgetAnswers({ state, clock }: Pick<App, 'state' | 'clock'>): Promise<void> {
  for (const { id } of await state.tenants.list()) await state.requests.removeOld(id, clock.now())
}

function hashOf({ caller, url, body }: OnceRequest): string {
  return requestHash([caller.actor.type, caller.actor.id, url], body)
}

function boxOf({ keys, randomBytes }: OnceApp): ReturnType<typeof openSecretBox> {
  return openSecretBox(keys.box, randomBytes)
}

function placeOf({ caller, route, key }: OnceRequest): SecretPlace {
  return { tenant: caller.tenant, owner: `answer of ${route}`, key }
}
