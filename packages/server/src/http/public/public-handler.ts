import type { Profile } from '@tripline/contract/public/profile'
import { paging } from '@tripline/contract/public/wrapper'
import { printEtag, readIfMatch } from '../etag.ts'
import type { ResponseHeader } from '../openapi/header-table.ts'
import { respond } from '../respond.ts'
import { getPrincipal } from '../route.ts'
import type { RequestContext, Route } from '../route.ts'
import { nameFieldsOfError } from './name-fields.ts'
import type { SentBody } from './name-fields.ts'
import type { PublicAnswer, PublicRoute } from './public-route.ts'
import { readPublicBody } from './read-public-body.ts'
import { readParameters, toQuerySchema } from './read-parameters.ts'

/** The path of the public API. */
export const publicBase = '/api/v1'

/**
 * An operation of the public API in one profile, as a route like those of the console: with the schemas of the profile, and a
 * handler that parses the request, has it answered, and renders the answer.
 */
export function toProfileRoute(operation: PublicRoute, profile: Profile): Route {
  const { method, path, permission, summary, parameters, sorting, body, response, errors = [], optionalHeaders = [] } = operation
  const { hasVersion = false, isIdempotent } = operation
  const checksVersion = operation.checksVersion ?? (hasVersion && method !== 'GET')
  const hasQuery = parameters !== undefined || sorting !== undefined
  const query = toQuerySchema(operation, profile)
  const bodySchema = body?.toSchema(profile)
  const hasHeaderCursor = response.isPage === true && paging[profile].isCursorInHeader
  const ownHeaders: readonly ResponseHeader[] = hasVersion ? ['ETag'] : []
  // Every operation names parameters that it does not know.
  const mayHave: readonly ResponseHeader[] = ['X-Query-Warnings', ...(hasHeaderCursor ? ['X-Next-Cursor' as const] : [])]
  return {
    method, path: `${publicBase}${path}`, profile, access: permission, summary,
    ...(hasQuery && { query }),
    ...(bodySchema && { body: bodySchema }),
    ...(isIdempotent && { isIdempotent }),
    ...(checksVersion && { checksVersion: true as const }),
    headers: [...ownHeaders, ...(response.status === 201 ? ['Location' as const] : [])],
    optionalHeaders: [...mayHave, ...optionalHeaders],
    // A stated profile may be unknown.
    errors: ['INVALID_PARAMETER', ...errors],
    ...(response.mediaType !== undefined && { responseType: response.mediaType }),
    ...(response.otherTypes !== undefined && { otherTypes: response.otherTypes }),
    responses: { [response.status]: response.toSchema(profile) },
    async handle(c) {
      const read = readParameters(c, operation, { profile, schema: query })
      const wire = body && bodySchema && await readPublicBody(c, bodySchema)
      const answer = await answerNamed({ shape: body, profile, wire }, () => operation.handle({
        caller: getPrincipal(c), id: (c.req.param('id') ?? '').toLowerCase(), getParam: (name) => c.req.param(name) ?? '',
        query: read.query, paging: read.paging, body: wire && body.parse(profile, wire),
        versions: checksVersion ? readIfMatch(c) : undefined,
        startedMs: c.get('startedMs'),
        // A getter: few operations ask, and each that does makes a whole Request of the incoming message.
        get signal() {
          return c.req.raw.signal
        },
      }))
      return await respondInProfile(c, operation, { profile, answer, warnings: read.warnings })
    },
  }
}

/** Refusals name fields as the profile does. */
async function answerNamed<Answer>(sent: SentBody, handle: () => Promise<Answer>): Promise<Answer> {
  try {
    return await handle()
  } catch (error) {
    throw nameFieldsOfError(error, sent)
  }
}

type RenderedAnswer = { readonly profile: Profile; readonly answer: PublicAnswer<unknown>; readonly warnings: readonly string[] }

async function respondInProfile(
  c: RequestContext, { response, hasVersion }: PublicRoute, { profile, answer, warnings }: RenderedAnswer,
): Promise<Response> {
  if (answer instanceof Response) return answer
  const { body, version, headers = {}, warnings: more = [] } = answer
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  const named = [...warnings, ...more]
  if (named.length > 0) c.header('X-Query-Warnings', named.join(', '))
  if (version !== undefined && hasVersion === true) c.header('ETag', printEtag(version))
  if (response.isPage === true && paging[profile].isCursorInHeader) setCursor(c, body)
  if (response.send !== undefined) return await response.send(c, profile, body)
  if (response.status === 204) return c.body(null, 204)
  return respond(c, response.render(profile, body), response.status)
}

function setCursor(c: RequestContext, page: unknown): void {
  const cursor: unknown = Reflect.get(Object(page), 'nextCursor')
  if (typeof cursor === 'string') c.header('X-Next-Cursor', cursor)
}
