import { parseJson } from '@tripline/common/parse-json'
import type { EventObject } from '@tripline/engine'
import { splitMessage } from '@tripline/formats/json/find-page'
import type { BrokerMessage } from '@tripline/sources/broker/broker'
import { decodeLine } from '@tripline/sources/lines/decode-line'
import type { PolledEvent } from '@tripline/sources/polling/read-page'
import type { MessageSource } from './message-source.ts'

type ReadMessages = { readonly events: readonly PolledEvent[]; readonly refusedCount: number; readonly byteCount: number }

/** What messages of a source are. */
type MessageForm = Pick<MessageSource, 'format' | 'logsource'>

/** The events that messages are, or that pages of events in them hold, as Azure's event hubs have them. */
export function readMessages(
  messages: readonly BrokerMessage[], { format, logsource, connectorId }: MessageForm & { readonly connectorId: string },
): ReadMessages {
  const parts = messages.flatMap(({ id, bytes, storedAt }) => {
    const pieces = splitMessage(bytes)
    return pieces.map((piece, index) => ({ id: pieces.length === 1 ? id : `${id} ${index}`, bytes: piece, storedAt }))
  })
  const events = parts.flatMap(({ id, bytes, storedAt }): PolledEvent[] => {
    const decoded = decodeLine(bytes, { format, logsource, receivedAt: storedAt, hostname: undefined })
    if ('problem' in decoded) return []
    const event = parseJson(Buffer.from(decoded.bytes).toString('utf8')) as EventObject
    return [{ id: `${connectorId} ${id}`, bytes: decoded.bytes, event }]
  })
  return { events, refusedCount: parts.length - events.length, byteCount: messages.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}
