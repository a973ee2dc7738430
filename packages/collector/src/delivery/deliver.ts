import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Credential } from '../config/credential.ts'
import { limits } from '../limits.ts'
import type { Spool, SpoolBatch } from '../spool/spool.ts'
import { describeReply, postEvents } from './server-client.ts'
import type { JsonReply, ServerPlace } from './server-client.ts'

type DeliveryDeps = {
  readonly spool: Spool
  readonly server: ServerPlace
  readonly credential: Credential
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
}

/** How sending goes. */
export type DeliveryState = {
  sentCount: number
  /** Events that the server refused for what they are. */
  refusedCount: number
  lastError: string | null
}

const lineFeed = 0x0a

/**
 * Sends the spool to the server, one batch at a time and in order, until the signal aborts. A batch is sent until the server
 * has it; it keeps its id, by which the server knows it when only the answer was lost.
 */
export async function deliver(deps: DeliveryDeps, state: DeliveryState, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const batch = await deps.spool.take()
    if (batch === undefined) {
      await deps.spool.waitForEvents(signal)
      continue
    }
    if (!await sendBatch(deps, state, batch, signal)) return
    await deps.spool.acknowledge(batch)
  }
}

/** Sends a batch; a part that the server refuses is split until what it refuses is one event. False when the signal aborted. */
async function sendBatch(deps: DeliveryDeps, state: DeliveryState, batch: SpoolBatch, signal: AbortSignal): Promise<boolean> {
  const reply = await sendUntilAnswered(deps, state, batch, signal)
  if (reply === undefined) return false
  if (reply.status < 300) {
    const { accepted, rejected, errors } = reply.body
    state.sentCount += Number(accepted ?? batch.count)
    state.refusedCount += Number(rejected ?? 0)
    const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
    if (Number(rejected ?? 0) > 0) deps.log.warn('the server rejected events', { events: Number(rejected), first: JSON.stringify(first) })
    return true
  }
  if (batch.count === 1) {
    state.refusedCount++
    deps.log.warn('the server refused an event', { reason: describeReply(reply) })
    return true
  }
  for (const half of splitBatch(batch)) if (!await sendBatch(deps, state, half, signal)) return false
  return true
}

/** The answer that decides about a batch; all others may change. Undefined when the signal aborted. */
async function sendUntilAnswered(
  { spool, server, credential, sleep, log }: DeliveryDeps, state: DeliveryState, { first, lines }: SpoolBatch, signal: AbortSignal,
): Promise<JsonReply | undefined> {
  const { retryMs, retryMsMax } = limits.delivery
  for (let attempt = 0; !signal.aborted; attempt++) {
    let waitMs = Math.min(retryMs * 2 ** attempt, retryMsMax)
    let problem: string
    try {
      const reply = await postEvents(server, credential, { id: `${spool.id}:${first}`, lines }, signal)
      if (reply.status < 300 || reply.status === 400 || reply.status === 413) {
        if (state.lastError !== null) log.info('the server takes events again')
        state.lastError = null
        return reply
      }
      problem = describeReply(reply)
      waitMs = reply.retryAfterMs ?? waitMs
    } catch (error) {
      problem = `the server cannot be reached: ${getErrorMessage(error)}`
    }
    if (signal.aborted) return undefined
    if (state.lastError !== problem) log.warn('events wait in the spool', { reason: problem })
    state.lastError = problem
    await sleep(waitMs, signal)
  }
  return undefined
}

function splitBatch({ first, count, lines }: SpoolBatch): readonly SpoolBatch[] {
  const half = Math.ceil(count / 2)
  let at = 0
  for (let i = 0; i < half; i++) at = lines.indexOf(lineFeed, at) + 1
  return [{ first, count: half, lines: lines.subarray(0, at) }, { first: first + half, count: count - half, lines: lines.subarray(at) }]
}
