import type { z } from 'zod'
import { limits } from './limits.ts'
import { parseJsonBody, withBody } from './read-body.ts'
import type { RequestContext } from './route.ts'
import { checkBody } from './validate.ts'

/**
 * Reads a JSON body of at most `limits.request.bodyBytesMax` and checks it against a schema.
 *
 * @throws AppError as `withBody`, `parseJsonBody` and `checkBody` do.
 */
export function readJson<Schema extends z.ZodType>(c: RequestContext, schema: Schema): Promise<z.output<Schema>> {
  return withBody(c, limits.request.bodyBytesMax, async (bytes) => checkBody(parseJsonBody(c, bytes), schema))
}
