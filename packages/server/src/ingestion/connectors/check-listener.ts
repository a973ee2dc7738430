import type { ConnectorCheck, ConnectorConfig } from '@tripline/model/connector'
import type { SyslogListener } from '../syslog/syslog-listeners.ts'
import { checkDataFlow } from './check-source.ts'
import type { DataFlow } from './check-source.ts'

/** A listener as checks see it: open, or why it is not. */
type ListenerState = Pick<SyslogListener, 'place' | 'takeDrops'> | { readonly problem: string }

/** Checks a connector that listens: whether its port is open, who may send, and whether messages come and are taken. */
export async function checkListener(state: ListenerState, config: ConnectorConfig, flow: DataFlow): Promise<ConnectorCheck[]> {
  if ('problem' in state) {
    return [
      { type: 'connectivity', status: 'fail', message: state.problem },
      { type: 'authentication', status: 'skip', message: 'skipped: connectivity failed' },
      { type: 'data_flow', status: 'skip', message: 'skipped: connectivity failed', eventsInLastMinute: 0 },
    ]
  }
  const { allowed_cidrs: ranges } = config
  const senders = Array.isArray(ranges) ? `senders in ${ranges.join(', ')}` : "any sender; name yours in 'allowed_cidrs'"
  return [
    { type: 'connectivity', status: 'pass', message: `listening on ${state.place}`, latencyMs: 0 },
    { type: 'authentication', status: 'pass', message: senders.slice(0, 200) },
    await checkFlow(state, flow),
  ]
}

async function checkFlow({ takeDrops }: Pick<SyslogListener, 'takeDrops'>, flow: DataFlow): Promise<ConnectorCheck> {
  const { kernelCount, ownCount } = await takeDrops()
  const { eventsInLastMinute } = flow
  if (kernelCount + ownCount > 0) {
    const message = `${kernelCount + ownCount} messages were dropped since the last check: ${kernelCount} by the kernel because its ` +
      `buffer was full, ${ownCount} for lack of room, length, or the limit of a source; TCP loses none of them`
    return { type: 'data_flow', status: 'warn', message, eventsInLastMinute }
  }
  if (flow.hasSent) return checkDataFlow(flow)
  return { type: 'data_flow', status: 'skip', message: 'no event received yet', eventsInLastMinute: 0 }
}
