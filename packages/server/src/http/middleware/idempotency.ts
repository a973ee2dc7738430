import type { MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { limits } from '../../limits.ts'
import { abandonIdempotentRequest, beginIdempotentRequest, finishIdempotentRequest } from '../idempotent-requests.ts'
import type { StoredResponse, IdempotencyDeps, IdempotentRequest } from '../idempotent-requests.ts'
import { withBody } from '../read-body.ts'
import { getPrincipal } from '../route.ts'
import type { Env, RequestContext, Route } from '../route.ts'
import { invalidParameter } from '../validate.ts'

const { idempotencyKeyLengthMax, idempotencyBodyBytesMax, idempotencyAnswerBytesMax } = limits.lists

/** Response headers that are stored and replayed. */
const replayedHeaders = ['content-type', 'location', 'etag'] as const

/**
 * Executes a request with an `Idempotency-Key` once and replays the stored response when it is sent again. Failed requests
 * are forgotten and can be retried.
 */
export function idempotency(
  deps: IdempotencyDeps, { method, path }: Pick<Route, 'method' | 'path'>,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const key = c.req.header('idempotency-key')
    if (key === undefined) return await next()
    if (!/^[\x21-\x7e]+$/.test(key) || key.length > idempotencyKeyLengthMax) {
      const reason = `use 1 to ${idempotencyKeyLengthMax} printable ASCII characters without blanks`
      throw invalidParameter('Idempotency-Key', key, { reason })
    }
    return await withBody(c, idempotencyBodyBytesMax, async (body) => {
      const request: IdempotentRequest = { caller: getPrincipal(c), route: `${method} ${path}`, key, url: c.req.url, body }
      const kept = await beginIdempotentRequest(deps, request)
      if (kept !== undefined) return replay(c, kept)
      // The handler reads the body again.
      c.req.raw = new Request(c.req.raw.url, { method, headers: c.req.raw.headers, body })
      let isKept = false
      try {
        await next()
        const answer = await captureResponse(c.res)
        if (answer !== undefined) await finishIdempotentRequest(deps, request, answer)
        isKept = answer !== undefined
      } finally {
        if (!isKept) await abandonIdempotentRequest(deps, request)
      }
      return undefined
    })
  }
}

async function captureResponse(response: Response): Promise<StoredResponse | undefined> {
  if (!response.ok) return undefined
  const body = await response.clone().text()
  if (Buffer.byteLength(body) > idempotencyAnswerBytesMax) return undefined
  const headers = replayedHeaders.map((name) => [name, response.headers.get(name)] as const).filter(([, value]) => value !== null)
  return { status: response.status, headers: Object.fromEntries(headers.map(([name, value]) => [name, value ?? ''])), body }
}

function replay(c: RequestContext, { status, headers, body }: StoredResponse): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  c.header('Idempotent-Replayed', 'true')
  return status === 204 ? c.body(null, 204) : c.body(body, contentfulStatus(status))
}

/** Only these statuses are stored. */
function contentfulStatus(status: number): ContentfulStatusCode {
  return status === 201 ? 201 : status === 202 ? 202 : 200
}
