import type { RequestContext } from '../route.ts'

/** The id in the path; ids of rules are UUIDs, whose case means nothing. */
export function ruleIdOf(c: RequestContext): string {
  return (c.req.param('id') ?? '').toLowerCase()
}
