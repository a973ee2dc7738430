import { limits } from '../limits.ts'

/** Refuses messages that no topic takes, by a RangeError; gives what they count as. */
export function validateMessages(tenant: string, messages: readonly Uint8Array[]): number {
  const { publishMessagesMax, publishBytesMax, messageBytesMax, tenantLengthMax } = limits.bus
  if (tenant.length === 0 || tenant.length > tenantLengthMax) {
    throw new RangeError(`a tenant's name has 1 to ${tenantLengthMax} characters; this one has ${tenant.length}`)
  }
  if (messages.length === 0) throw new RangeError('there is no message to publish')
  if (messages.length > publishMessagesMax) {
    throw new RangeError(`${messages.length} messages are published at once; at most ${publishMessagesMax} may be`)
  }
  const longest = messages.reduce((length, message) => Math.max(length, message.length), 0)
  if (longest > messageBytesMax) throw new RangeError(`a message has ${longest} bytes; at most ${messageBytesMax} are taken`)
  const bytes = messages.reduce((sum, message) => sum + message.length, 0)
  if (bytes > publishBytesMax) throw new RangeError(`messages have ${bytes} bytes together; at most ${publishBytesMax} are taken`)
  return messages.reduce((sum, message) => sum + getMessageCost(message), 0)
}

/** What a message counts as where bytes are bounded: one without bytes takes room too. */
export function getMessageCost(message: Uint8Array): number {
  return message.length + limits.bus.messageCostBytes
}
