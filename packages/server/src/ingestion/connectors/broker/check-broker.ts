import type { ConnectorCheck } from '@tripline/model/connector'
import { PollError } from '@tripline/sources/polling/poll-error'
import type { PolledEvent } from '@tripline/sources/polling/read-page'
import type { Egress } from '../../../egress/egress.ts'
import { limits } from '../../limits.ts'
import { checkDataFlow, createPollChecks } from '../check-source.ts'
import type { DataFlow } from '../check-source.ts'
import { createBrokerOutside } from './message-source.ts'
import type { MessageSource } from './message-source.ts'
import { toBrokerProblem } from './consume-broker.ts'
import { readMessages } from './read-messages.ts'

/** A session as checks see it. */
type BrokerState = { readonly isConnected: boolean; readonly problem: PollError | undefined }

/** Derives checks from the session: a broker needs no other connection to be checked. */
export function checkSession({ isConnected, problem }: BrokerState, flow: DataFlow): readonly ConnectorCheck[] {
  if (problem !== undefined) return createPollChecks(problem, flow)
  if (!isConnected) return []
  return [
    { type: 'connectivity', status: 'pass', message: 'connected' },
    { type: 'authentication', status: 'pass', message: 'the broker gives messages' },
    checkDataFlow(flow),
  ]
}

type BrokerReport = { readonly checks: readonly ConnectorCheck[]; readonly sample: readonly PolledEvent[] }

/** Tries the settings of a broker and shows its newest messages as events; keeps and acknowledges nothing. */
export async function checkBroker(
  target: MessageSource, { egress, elapsedMs }: { readonly egress: Egress; readonly elapsedMs: () => number },
): Promise<BrokerReport> {
  const quiet = { eventsInLastMinute: 0, hasSent: false, quietForMs: undefined, quietAfterMs: 0 }
  const { checkMs } = limits.connector
  const startedMs = elapsedMs()
  try {
    const { connection, authentication, messages, sampleProblem } = await withLimit(target.probe(createBrokerOutside(egress)), checkMs)
    const { events, refusedCount } = readMessages(messages, { ...target, connectorId: 'test' })
    return {
      checks: [
        { type: 'connectivity', status: 'pass', message: connection, latencyMs: Math.round(elapsedMs() - startedMs) },
        { type: 'authentication', status: 'pass', message: authentication },
        describeSample({ eventCount: events.length, refusedCount, problem: sampleProblem }),
      ],
      sample: events,
    }
  } catch (error) {
    const problem = toBrokerProblem(error)
    if (!(problem instanceof PollError)) throw problem
    return { checks: createPollChecks(problem, quiet), sample: [] }
  }
}

type SampleFacts = { readonly eventCount: number; readonly refusedCount: number; readonly problem: string | undefined }

function describeSample(
  { eventCount, refusedCount, problem }: SampleFacts,
): ConnectorCheck {
  const told = (status: ConnectorCheck['status'], message: string): ConnectorCheck =>
    ({ type: 'data_flow', status, message, eventsInLastMinute: 0 })
  if (problem !== undefined) return told('warn', problem)
  if (refusedCount > 0 && eventCount === 0) return told('fail', `none of the newest ${refusedCount} messages is an event: check format`)
  if (refusedCount > 0) return told('warn', `${refusedCount} of the newest ${refusedCount + eventCount} messages are no events`)
  return told('pass', eventCount === 0 ? 'there are no messages yet' : `the newest ${eventCount} messages are events`)
}

async function withLimit<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new PollError('connectivity', `no answer within ${limitMs} ms`)), limitMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    // The connection of a test that took too long ends by its own limits.
    work.catch(() => {})
  }
}
