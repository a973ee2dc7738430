import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { answer } from './answer.ts'
import type { RequestContext } from './route.ts'

/** Answers with one thing, with its version as validator, or says that the asker has it already (D-40). */
export function answerVersioned(c: RequestContext, body: unknown, version: number, status: ContentfulStatusCode = 200): Response {
  const etag = `"${version}"`
  c.header('ETag', etag)
  const known = c.req.method === 'GET' ? c.req.header('if-none-match') : undefined
  const isKnown = known?.split(',').some((validator) => ['*', etag, `W/${etag}`].includes(validator.trim())) === true
  return isKnown ? c.body(null, 304) : answer(c, body, status)
}

/** Under which version a change is to be made, as `If-Match` says it; undefined for any. What is none of ours is nothing's. */
export function expectedVersion(c: RequestContext): number | undefined {
  const text = c.req.header('if-match')?.trim()
  if (text === undefined || text === '*') return undefined
  const [, digits] = /^"(\d{1,15})"$/.exec(text) ?? []
  return digits === undefined ? versionOfNothing : Number(digits)
}

const versionOfNothing = 0
