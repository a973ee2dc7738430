import type { z } from 'zod'
import { pushDataSchemas } from '../contract/push.ts'
import type { PushData, PushType } from '../contract/push.ts'

/**
 * Prints a message of the server once, for all who get it (section 6). Only the fields of its schema are printed, so
 * nothing internal gets out by accident.
 */
export function printMessage<Type extends PushType>(type: Type, at: number, data: PushData<Type>): Uint8Array {
  const schema = schemas.get(type)
  if (schema === undefined) throw new Error(`there is no message of the type '${type}'`)
  return Buffer.from(JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: schema.parse(data) }))
}

const schemas = new Map<string, z.ZodType>(Object.entries(pushDataSchemas).map(([type, schema]) => [type, schema.strip()]))
