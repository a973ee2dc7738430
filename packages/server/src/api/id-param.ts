import type { RequestContext } from './route.ts'

/** What stands in the place of `:id` in the path; ids are written in small letters, and read in any. */
export function readIdParam(c: RequestContext): string {
  return (c.req.param('id') ?? '').toLowerCase()
}
