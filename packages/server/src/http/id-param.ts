import type { RequestContext } from './route.ts'

/** The parameter `:id`, or one of another name, lower-cased: ids are stored in lower case and accepted in any. */
export function readIdParam(c: RequestContext, name = 'id'): string {
  return (c.req.param(name) ?? '').toLowerCase()
}
