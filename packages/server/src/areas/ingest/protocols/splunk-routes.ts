import { hecFormat, hecRawFormat } from '@tripline/formats/splunk/decode-hec'
import type { Readiness } from '../../../http/health.ts'
import type { RequestContext, RequestRefusal, Route } from '../../../http/route.ts'
import type { IngestReceipt } from '../../../ingestion/ingest.ts'
import { receiveBody } from '../receive-body.ts'
import type { IntakeDeps } from '../receive-body.ts'

const base = '/services/collector'
const eventPaths = [base, `${base}/event`, `${base}/event/1.0`]
const rawPaths = [`${base}/raw`, `${base}/raw/1.0`]
const healthPaths = [`${base}/health`, `${base}/health/1.0`]

/** The HTTP Event Collector of Splunk, without acknowledgement: a request is answered when its events are durable. */
export function splunkRoutes(deps: IntakeDeps & { readonly readiness: Readiness }): Route[] {
  return [
    ...eventPaths.map((path): Route => splunkRoute('POST', path, 'sender', (c) => handleEvents(deps, c))),
    ...rawPaths.map((path): Route => splunkRoute('POST', path, 'sender', (c) => handleRaw(deps, c))),
    ...healthPaths.map((path): Route => splunkRoute('GET', path, 'anyone', (c) => (
      deps.readiness.state === 'ready' ? c.json({ text: 'HEC is healthy', code: 17 }) : c.json({ text: 'HEC is not ready', code: 18 }, 503)
    ))),
    splunkRoute('POST', `${base}/ack`, 'sender', (c) => c.json({ text: 'ACK is disabled', code: 14 }, 400)),
  ]
}

function splunkRoute(method: 'GET' | 'POST', path: string, access: Route['access'], handle: Route['handle']): Route {
  const summary = 'Ingests events as the HTTP Event Collector of Splunk'
  return { method, path, access, summary, responses: { 200: null }, isForeign: true, printError: printSplunkError, handle }
}

async function handleEvents(deps: IntakeDeps, c: RequestContext): Promise<Response> {
  return printReceipt(c, await receiveBody(deps, c, { format: hecFormat }))
}

async function handleRaw(deps: IntakeDeps, c: RequestContext): Promise<Response> {
  const { host, index, source, sourcetype } = c.req.query()
  return printReceipt(c, await receiveBody(deps, c, { format: hecRawFormat({ host, index, source, sourcetype }) }))
}

/** Events that are accepted are not to come again, so a request fails only when none is. */
function printReceipt(c: RequestContext, { acceptedCount, rejections: [rejection] }: IngestReceipt): Response {
  if (acceptedCount > 0) return c.json({ text: 'Success', code: 0 })
  if (rejection === undefined) return c.json({ text: 'No data', code: 5 }, 400)
  const { code, reason, index } = rejection
  const [text, number] = code === 'NO_EVENT' ? ['Event field is required', 12] as const : ['Invalid data format', 6] as const
  return c.json({ text: `${text}: ${reason}`, code: number, 'invalid-event-number': index }, 400)
}

/** Codes of the HTTP Event Collector by ours. Its clients wait and send again what is answered with 503. */
function printSplunkError(c: RequestContext, { code, status, message }: RequestRefusal): Response {
  switch (code) {
    case 'UNAUTHORIZED':
      return c.req.header('authorization') === undefined
        ? c.json({ text: 'Token is required', code: 2 }, 401)
        : c.json({ text: 'Invalid token', code: 4 }, 403)
    case 'RATE_LIMITED':
    case 'UNAVAILABLE':
    case 'OUTCOME_UNKNOWN':
    case 'REQUEST_TIMEOUT':
      c.header('Retry-After', '1')
      return c.json({ text: `Server is busy: ${message}`, code: 9 }, 503)
    case 'INTERNAL_ERROR':
      return c.json({ text: 'Internal server error', code: 8 }, 500)
    case 'FORBIDDEN':
      return c.json({ text: `Invalid token: ${message}`, code: 4 }, 403)
    default:
      return c.json({ text: `Invalid data format: ${message}`, code: 6 }, status)
  }
}
