import { isPushType } from '@tripline/model/connector'
import type { ConnectorCheck, ConnectorType } from '@tripline/model/connector'
import type { PollClient } from '@tripline/sources/polling/poll-client'
import { PollError } from '@tripline/sources/polling/poll-error'
import { readPolledPage } from '@tripline/sources/polling/read-page'
import type { PolledEvent } from '@tripline/sources/polling/read-page'
import { limits } from '../limits.ts'

/** What a check needs to know of a connector. */
type CheckTarget = {
  readonly connectorId: string
  readonly type: ConnectorType
  /** The client of the source; undefined for types that are not polled. */
  readonly client: PollClient | undefined
  readonly flow: DataFlow
}

/** Recent traffic of the source. */
export type DataFlow = {
  readonly eventsInLastMinute: number
  /** Whether it ever sent an event. */
  readonly hasSent: boolean
  /** How long it has been silent; undefined where silence does not count. */
  readonly quietForMs: number | undefined
  /** The silence that is tolerated; 0 for any. */
  readonly quietAfterMs: number
}

type CheckReport = {
  readonly checks: readonly ConnectorCheck[]
  /** The first events of the response, where there was one. */
  readonly sample: readonly PolledEvent[]
}

type CheckOptions = {
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  /** The time limit of the whole check in milliseconds; default `limits.connector.checkMs`. */
  readonly totalMs?: number
  /** Aborts the check. */
  readonly signal?: AbortSignal
}

/**
 * Checks a source: whether it can be reached, accepts the credentials, and sends events. A failed attempt is retried
 * once after a second. A check takes at most ten seconds, and changes nothing but the client's token.
 *
 * @throws only programming errors, and the signal's reason.
 */
export async function checkSource(
  subject: CheckTarget, { sleep, totalMs = limits.connector.checkMs, signal }: CheckOptions,
): Promise<CheckReport> {
  const { client, type } = subject
  if (isPushType(type)) return { checks: createPushChecks(subject.flow), sample: [] }
  if (client === undefined) return { checks: createSkippedChecks(`this server does not run connectors of type '${type}'`), sample: [] }
  const timeout = AbortSignal.timeout(totalMs)
  const ending = AbortSignal.any([timeout, ...(signal === undefined ? [] : [signal])])
  const attempt = (): Promise<CheckReport> => probeSource(subject, client, ending)
  try {
    return await attempt().catch(async (error: unknown) => {
      if (!(error instanceof PollError) || error.isLasting || error.retryAfterMs !== undefined || ending.aborted) throw error
      await sleep(limits.connector.checkAgainMs, ending)
      return await attempt()
    })
  } catch (error) {
    signal?.throwIfAborted()
    const problem = timeout.aborted ? new PollError('connectivity', `no answer within ${totalMs} ms`) : error
    if (problem instanceof PollError) return { checks: createFailedChecks(problem), sample: [] }
    throw error
  }
}

/** Derives the same checks from the last poll, without another request. */
export function createPollChecks(problem: PollError | undefined, flow: DataFlow): ConnectorCheck[] {
  if (problem !== undefined) return createFailedChecks(problem)
  return [
    { type: 'connectivity', status: 'pass', message: 'the last poll got a response' },
    { type: 'authentication', status: 'pass', message: 'the last poll was authenticated' },
    checkDataFlow(flow),
  ]
}

async function probeSource({ connectorId, flow }: CheckTarget, client: PollClient, signal: AbortSignal): Promise<CheckReport> {
  const { probeMs: timeoutMs, probeBytesMax: bytesMax, sampleEventsMax } = limits.connector
  const { body, isCut, status, tls, latencyMs } = await client.fetchPage(undefined, { timeoutMs, bytesMax, isCut: true, signal })
  const said = `${status} from ${client.target.url.pathname.slice(0, 64)}`
  const reached: ConnectorCheck[] = [
    { type: 'connectivity', status: 'pass', message: tls === undefined ? said : `${tls.replace('v', ' ')}, ${said}`, latencyMs },
    { type: 'authentication', status: 'pass', message: client.target.client === undefined ? 'no authentication needed' : 'authenticated' },
  ]
  if (isCut) return { checks: [...reached, checkDataFlow(flow)], sample: [] }
  try {
    const { events } = readPolledPage(body, client.target, connectorId)
    return { checks: [...reached, checkDataFlow(flow)], sample: events.slice(0, sampleEventsMax) }
  } catch (error) {
    if (!(error instanceof PollError)) throw error
    const { eventsInLastMinute } = flow
    const unread = { type: 'data_flow', status: 'fail', message: error.message, eventsInLastMinute } as const
    return { checks: [...reached, unread], sample: [] }
  }
}

function createPushChecks(flow: DataFlow): ConnectorCheck[] {
  return [
    { type: 'connectivity', status: 'pass', message: 'ready to receive events', latencyMs: 0 },
    { type: 'authentication', status: 'pass', message: 'each sender needs the token of the connector' },
    flow.hasSent ? checkDataFlow(flow) : { type: 'data_flow', status: 'skip', message: 'no event received yet', eventsInLastMinute: 0 },
  ]
}

/** Whether events come, for a source that has sent some. */
export function checkDataFlow({ eventsInLastMinute, quietForMs, quietAfterMs }: DataFlow): ConnectorCheck {
  const isQuiet = quietForMs !== undefined && quietAfterMs > 0 && quietForMs >= quietAfterMs
  const message = isQuiet
    ? `no event for ${Math.floor(quietForMs / 60_000)} minutes`
    : `${eventsInLastMinute} ${eventsInLastMinute === 1 ? 'event' : 'events'} in the last minute`
  return { type: 'data_flow', status: isQuiet ? 'warn' : 'pass', message, eventsInLastMinute }
}

const stages = ['connectivity', 'authentication', 'data_flow'] as const

/** Stages before the failure passed, stages behind it are skipped. A source that limits the rate has not failed. */
function createFailedChecks({ stage, message, latencyMs, retryAfterMs }: PollError): ConnectorCheck[] {
  const failedAt = stages.indexOf(stage)
  const isBusy = stage === 'data_flow' && (retryAfterMs !== undefined || message.startsWith('429'))
  return stages.map((type, index): ConnectorCheck => {
    const told = {
      ...(type === 'connectivity' && latencyMs !== undefined && { latencyMs }),
      ...(type === 'data_flow' && { eventsInLastMinute: 0 }),
    }
    if (index === failedAt) return { type, status: isBusy ? 'warn' : 'fail', message, ...told }
    if (index < failedAt) return { type, status: 'pass', message: 'answered', ...told }
    return { type, status: 'skip', message: `skipped: ${stage} failed`, ...told }
  })
}

function createSkippedChecks(message: string): ConnectorCheck[] {
  return stages.map((type) => ({ type, status: 'skip', message, ...(type === 'data_flow' && { eventsInLastMinute: 0 }) }))
}
