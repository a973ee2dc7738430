import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'

/** Warnings that need no attention: the Kafka client passes a negative time to a timer, which fires at once, as it expects. */
const harmless = [{ name: 'TimeoutNegativeWarning', raisedBy: 'RequestQueue.scheduleCheckPendingRequests' }]

/**
 * Writes warnings of Node to the log in place of its own lines on stderr, which are no JSON; those that are known to be harmless are
 * left out. Returns what ends that.
 */
export function logWarnings({ onWarning = () => () => {} }: Pick<Runtime, 'onWarning'>, log: Log): () => void {
  return onWarning(({ name, message, stack = '' }) => {
    if (harmless.some((known) => known.name === name && stack.includes(known.raisedBy))) return
    log.warn(`Node warns: ${message}`, { name, stack })
  })
}
