import { pushDataSchemas } from '@tripline/contract/push/push'
import type { PushData, PushMessageType } from '@tripline/contract/push/push'
import type { z } from 'zod'

const schemas = new Map<string, z.ZodType>(Object.entries(pushDataSchemas).map(([type, schema]) => [type, schema.strip()]))

/**
 * Prints a server message once for all its receivers (docs/reference/console-api.md#live-push). Prints only the fields
 * of its schema, so nothing internal leaks. A message about a change has the id of its domain event.
 */
export function printPushMessage<Type extends PushMessageType>(type: Type, at: number, data: PushData<Type>, eventId?: string): Uint8Array {
  const schema = schemas.get(type)
  if (schema === undefined) throw new Error(`unknown message type '${type}'`)
  return Buffer.from(JSON.stringify({ type, timestamp: new Date(at).toISOString(), id: eventId, data: schema.parse(data) }))
}
