import { limits } from '../limits.ts'

/** Throws a RangeError for messages that no topic accepts; returns their cost. */
export function validateMessages(tenant: string, messages: readonly Uint8Array[]): number {
  const { publishMessagesMax, publishBytesMax, messageBytesMax, tenantLengthMax } = limits.bus
  if (tenant.length === 0 || tenant.length > tenantLengthMax) {
    throw new RangeError(`a tenant name has 1 to ${tenantLengthMax} characters; this one has ${tenant.length}`)
  }
  if (messages.length === 0) throw new RangeError('no messages to publish')
  if (messages.length > publishMessagesMax) {
    throw new RangeError(`a batch has at most ${publishMessagesMax} messages; this one has ${messages.length}`)
  }
  const longest = messages.reduce((length, message) => Math.max(length, message.length), 0)
  if (longest > messageBytesMax) throw new RangeError(`a message has at most ${messageBytesMax} bytes; this one has ${longest}`)
  const bytes = messages.reduce((sum, message) => sum + message.length, 0)
  if (bytes > publishBytesMax) throw new RangeError(`a batch has at most ${publishBytesMax} bytes; this one has ${bytes}`)
  return messages.reduce((sum, message) => sum + getMessageCost(message), 0)
}

/** The cost of a message against byte bounds: an empty one costs memory too. */
export function getMessageCost(message: Uint8Array): number {
  return message.length + limits.bus.messageCostBytes
}
