import type { RequestContext } from './route.ts'

/** The `:id` parameter, lower-cased: ids are stored in lower case and accepted in any. */
export function readIdParam(c: RequestContext): string {
  return (c.req.param('id') ?? '').toLowerCase()
}
