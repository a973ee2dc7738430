import type { RequestContext } from './route.ts'

/** A version that nothing has. */
const noVersion = -1

/**
 * The version that a change is made under, as `If-Match` states it (D-40): undefined without the header or for any
 * version. What is no validator of ours is no version of anything.
 */
export function readIfMatch(c: RequestContext): number | undefined {
  const header = c.req.header('if-match')
  if (header === undefined || header.trim() === '*') return undefined
  const [, version] = /^\s*"(\d{1,15})"\s*$/.exec(header) ?? []
  return version === undefined ? noVersion : Number(version)
}
