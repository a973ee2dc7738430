import { AppError } from '@tripline/contract/app-error'
import { errorStatus } from '@tripline/contract/errors'
import { bulkFormat } from '@tripline/formats/elastic/decode-bulk'
import type { BulkAction } from '@tripline/formats/elastic/decode-bulk'
import { findBodyFormat } from '@tripline/formats/body-format'
import type { RequestContext, RequestRefusal, Route } from '../../../http/route.ts'
import type { IngestReceipt } from '../../../ingestion/ingest.ts'
import { limits } from '../../../limits.ts'
import { receiveBody } from '../receive-body.ts'
import type { IntakeDeps } from '../receive-body.ts'
import { handshakes, rootAnswer } from './elastic-handshake.ts'

/** Where clients of Elasticsearch may be pointed at: a prefix of their own, and the root for those that have no path. */
const prefixes = ['', '/ingest/elastic']

/** The type of error that clients wait at. */
const rejected = 'es_rejected_execution_exception'

/** What is answered of a document that was taken. */
const created = {
  _version: 1, result: 'created', _shards: { total: 1, successful: 1, failed: 0 }, _seq_no: 0, _primary_term: 1, status: 201,
}

/**
 * The bulk API of Elasticsearch 8 and 9 and of OpenSearch for clients that create documents, and what they ask before they send
 * any. Documents become events; nothing is indexed under its id.
 */
export function elasticRoutes(deps: IntakeDeps): Route[] {
  const bulk = (c: RequestContext): Promise<Response> => handleBulk(deps, c)
  const document = (c: RequestContext): Promise<Response> => handleDocument(deps, c)
  return prefixes.flatMap((prefix) => [
    ...['/_bulk', '/:index/_bulk'].flatMap((path) => [
      elasticRoute('POST', prefix + path, 'Ingests documents in the bulk format of Elasticsearch', bulk),
      elasticRoute('PUT', prefix + path, 'Ingests documents in the bulk format of Elasticsearch', bulk),
    ]),
    elasticRoute('POST', `${prefix}/:index/_doc`, 'Ingests one document as Elasticsearch does', document),
    elasticRoute('PUT', `${prefix}/:index/_create/:id`, 'Ingests one document as Elasticsearch does', document),
    // The console's own root stands elsewhere (`answerElasticRoot`).
    ...handshakes.filter(({ path }) => prefix + path !== '/').map(({ method, path, answer }) =>
      elasticRoute(method, `${prefix}${path}`, 'Answers what clients of Elasticsearch ask first', (c) => respondAsElastic(c, answer))),
  ])
}

/** Answers the root, by which clients recognise the product. It tells nothing of this server, so it needs no right. */
export function answerElasticRoot(c: RequestContext): Response {
  return respondAsElastic(c, rootAnswer)
}

function elasticRoute(method: Route['method'], path: string, summary: string, handle: Route['handle']): Route {
  return { method, path, access: 'sender', summary, responses: { 200: null }, isForeign: true, printError: printElasticError, handle }
}

async function handleBulk(deps: IntakeDeps, c: RequestContext): Promise<Response> {
  const actions: BulkAction[] = []
  const { requestEventsMax: errorsListedMax } = limits.ingest
  try {
    const receipt = await receiveBody(deps, c, { format: bulkFormat(c.req.param('index'), actions), errorsListedMax })
    return respondAsElastic(c, printBulk(c, actions, receipt))
  } catch (error) {
    // Of a body that was read, each item is answered: clients send only those again that were refused for lack of room.
    if (!isBackpressure(error) || actions.length === 0) throw error
    c.header('Retry-After', '1')
    const refusal = printItemError(429, rejected, error.message)
    const items = actions.map(({ name, index, id }) => ({ [name]: { _index: index, _id: id ?? null, ...refusal } }))
    return respondAsElastic(c, { took: 0, errors: true, items })
  }
}

function isBackpressure(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE')
}

function printBulk(c: RequestContext, actions: readonly BulkAction[], { rejections, rejectedCount }: IngestReceipt): object {
  const byIndex = new Map(rejections.map((rejection) => [rejection.index, rejection]))
  const items = actions.map(({ name, index, id }, i) => {
    const rejection = byIndex.get(i)
    const named = { _index: index, _id: id ?? `${c.get('requestId')}-${i}` }
    if (rejection === undefined) return { [name]: { ...named, ...created } }
    const type = rejection.code === 'UNSUPPORTED_ACTION' ? 'illegal_argument_exception' : 'document_parsing_exception'
    return { [name]: { ...named, ...printItemError(400, type, rejection.reason) } }
  })
  return { took: 0, errors: rejectedCount > 0, items }
}

function printItemError(status: number, type: string, reason: string): object {
  return { status, error: { type, reason } }
}

async function handleDocument(deps: IntakeDeps, c: RequestContext): Promise<Response> {
  const { rejections: [rejection] } = await receiveBody(deps, c, { format: findBodyFormat() })
  if (rejection !== undefined) throw new AppError('INVALID_BODY', rejection.reason)
  return respondAsElastic(c, { _index: c.req.param('index'), _id: c.req.param('id') ?? c.get('requestId'), ...created }, 201)
}

const mediaType = /^application\/vnd\.elasticsearch\+(?:x-nd)?json\s*;\s*compatible-with\s*=\s*(\d{1,2})/i

/** Answers as Elasticsearch does: with the header by which clients recognise it, and in the media type that they ask for. */
function respondAsElastic(c: RequestContext, body: object, status: 200 | 201 | RequestRefusal['status'] = 200): Response {
  const [, version] = mediaType.exec(c.req.header('accept') ?? c.req.header('content-type') ?? '') ?? []
  c.header('X-Elastic-Product', 'Elasticsearch')
  const type = version === undefined ? 'application/json' : `application/vnd.elasticsearch+json;compatible-with=${version}`
  return c.body(JSON.stringify(body), status, { 'Content-Type': type })
}

const errorTypes: { readonly [code: string]: string } = {
  UNAUTHORIZED: 'security_exception', FORBIDDEN: 'security_exception', INVALID_BODY: 'illegal_argument_exception',
  RATE_LIMITED: rejected, UNAVAILABLE: rejected, PAYLOAD_TOO_LARGE: 'content_too_long_exception',
}

/** Clients wait and send again what is answered with 429: also where the server itself lacks room. */
function printElasticError(c: RequestContext, { code, message }: RequestRefusal): Response {
  const status = code === 'UNAVAILABLE' ? 429 : errorStatus[code]
  const error = { type: errorTypes[code] ?? 'exception', reason: message }
  return respondAsElastic(c, { error: { root_cause: [error], ...error }, status }, status)
}
