import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { answer } from './answer.ts'
import { printEtag, readIfMatch } from './etag.ts'
import type { RequestContext } from './route.ts'

/** Answers with one thing, with its version as validator (D-40). */
export function answerVersioned(c: RequestContext, body: unknown, version: number, status: ContentfulStatusCode = 200): Response {
  c.header('ETag', printEtag(version))
  return answer(c, body, status)
}

/** The one version under which a change is to be made, as `If-Match` says it; undefined for any. */
export function expectedVersion(c: RequestContext): number | undefined {
  const versions = readIfMatch(c)
  if (versions === undefined) return undefined
  const [version, ...others] = versions
  return version === undefined || others.length > 0 ? versionOfNothing : version
}

const versionOfNothing = 0
