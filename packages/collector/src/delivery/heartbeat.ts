import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Credential } from '../config/credential.ts'
import { limits } from '../limits.ts'
import { describeReply, postJson } from './server-client.ts'
import type { ServerPlace } from './server-client.ts'

type HeartbeatDeps = {
  readonly server: ServerPlace
  readonly credential: Credential
  /** The body of a heartbeat, as of now. */
  readonly describe: () => object
  /** Called with the names of sources that must not run, and why. */
  readonly onRefused: (refused: ReadonlyMap<string, string>) => void
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
}

/** Tells the server every 30 s that the collector runs, and how, until the signal aborts. */
export async function sendHeartbeats(deps: HeartbeatDeps, state: { lastError: string | null }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const problem = await sendHeartbeat(deps, signal)
    if (signal.aborted) return
    if (problem !== undefined && problem !== state.lastError) deps.log.warn('the heartbeat failed', { reason: problem })
    state.lastError = problem ?? null
    await deps.sleep(limits.delivery.heartbeatMs, signal)
  }
}

/** Returns what went wrong. */
async function sendHeartbeat({ server, credential, describe, onRefused }: HeartbeatDeps, signal: AbortSignal): Promise<string | undefined> {
  try {
    const path = `/v1/collectors/${credential.collectorId}/heartbeat`
    const reply = await postJson(server, path, describe(), { credential: credential.credential, signal })
    if (reply.status !== 200) return describeReply(reply)
    const refused: unknown = reply.body['refused_sources']
    const sources = Array.isArray(refused) ? (refused as unknown[]) : []
    onRefused(new Map(sources.map((one) => [String(Reflect.get(Object(one), 'name')), String(Reflect.get(Object(one), 'reason'))])))
    return undefined
  } catch (error) {
    return getErrorMessage(error)
  }
}
