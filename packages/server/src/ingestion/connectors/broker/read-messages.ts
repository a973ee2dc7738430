import { parseJson } from '@tripline/common/parse-json'
import type { EventObject } from '@tripline/engine'
import type { BrokerMessage } from '@tripline/sources/broker/broker'
import { decodeLine } from '@tripline/sources/lines/decode-line'
import type { PolledEvent } from '../read-page.ts'
import type { MessageSource } from './message-source.ts'

type ReadMessages = { readonly events: readonly PolledEvent[]; readonly refusedCount: number; readonly byteCount: number }

/** What messages of a source are. */
type MessageForm = Pick<MessageSource, 'format' | 'logsource'>

/** The events that messages are. */
export function readMessages(
  messages: readonly BrokerMessage[], { format, logsource, connectorId }: MessageForm & { readonly connectorId: string },
): ReadMessages {
  const events = messages.flatMap(({ id, bytes, storedAt }): PolledEvent[] => {
    const decoded = decodeLine(bytes, { format, logsource, receivedAt: storedAt, hostname: undefined })
    if ('problem' in decoded) return []
    const event = parseJson(Buffer.from(decoded.bytes).toString('utf8')) as EventObject
    return [{ id: `${connectorId} ${id}`, bytes: decoded.bytes, event }]
  })
  return { events, refusedCount: messages.length - events.length, byteCount: messages.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}
