import { openFarServer } from './far-server.ts'
import type { FarServer } from './far-server.ts'

/** An object of the collection, with the moment at which it was added. */
export type AddedObject = { readonly addedAt: string; readonly object: object }

/** A TAXII 2.1 server with one collection; what it does may be changed while it runs. */
export type FarTaxii = FarServer & {
  readonly objects: AddedObject[]
  /** Whether pages are named by `next`; otherwise by the moment of the last object. */
  hasNext: boolean
  /** Names of pages that it has forgotten. */
  forgets: boolean
  canRead: boolean
  /** A status to answer with instead. */
  status: number | undefined
}

export const taxiiUser = { username: 'analyst', password: 'taxii-secret-1' }
const taxii = 'application/taxii+json;version=2.1'

/** Serves TAXII 2.1: filters, pages, headers and errors. */
export async function serveTaxii(objects: AddedObject[]): Promise<FarTaxii> {
  const far = await openFarServer(() => {})
  const server: FarTaxii = Object.assign(far, { objects, hasNext: true, forgets: false, canRead: true, status: undefined })
  far.answer = (request, response) => {
    const send = (status: number, body: object, headers: { readonly [name: string]: string } = {}): void =>
      void response.writeHead(status, { 'content-type': taxii, ...headers }).end(JSON.stringify(body))
    const url = new URL(request.url ?? '/', 'http://far')
    const expected = `Basic ${Buffer.from(`${taxiiUser.username}:${taxiiUser.password}`).toString('base64')}`
    if (server.status !== undefined) return send(server.status, { title: 'no' }, { 'retry-after': '120' })
    if (request.headers.accept !== taxii) return send(406, { title: 'not acceptable' })
    if (request.headers.authorization !== expected) return send(401, { title: 'who are you' })
    if (url.pathname === '/api1/collections/c-1/') return send(200, { id: 'c-1', title: 'test', can_read: server.canRead, can_write: false })
    if (url.pathname === '/api1/collections/') {
      return send(200, { collections: [{ id: 'c-1', title: 'test\r\nlist', can_read: true }, { id: 'c-3', can_read: false }, { id: 'c-4', can_read: true }] })
    }
    if (url.pathname === '/taxii2/') return send(200, { title: 'far', api_roots: [`${far.url}/api1/`] })
    if (url.pathname !== '/api1/collections/c-1/objects/') return send(404, { title: 'none' })
    if (server.forgets && url.searchParams.has('next')) return send(400, { title: 'unknown next' })
    return sendPage(server, url.searchParams, send)
  }
  return server
}

function sendPage({ objects, hasNext }: FarTaxii, asked: URLSearchParams, send: (status: number, body: object, headers?: AddedHeaders) => void): void {
  const after = asked.get('added_after') ?? ''
  const type = asked.get('match[type]')
  const matching = objects.filter(({ addedAt, object }) => addedAt > after && (type === null || Reflect.get(object, 'type') === type))
  const start = Number(asked.get('next') ?? 0)
  const page = matching.slice(start, start + Number(asked.get('limit') ?? 100))
  const [first, last] = [page[0], page.at(-1)]
  if (first === undefined || last === undefined) return send(200, {})
  const isMore = start + page.length < matching.length
  const more = { more: isMore, ...(isMore && hasNext && { next: String(start + page.length) }) }
  const headers = { 'x-taxii-date-added-first': first.addedAt, 'x-taxii-date-added-last': last.addedAt }
  return send(200, { ...more, objects: page.map(({ object }) => object) }, headers)
}

type AddedHeaders = { readonly [name: string]: string }

/** A STIX indicator for a pattern. */
export function stixIndicator(number: number, pattern: string, rest: object = {}): object {
  return {
    type: 'indicator', spec_version: '2.1', id: `indicator--00000000-0000-4000-8000-${String(number).padStart(12, '0')}`, pattern_type: 'stix', pattern,
    created: '2026-11-01T00:00:00.000Z', modified: '2026-11-01T00:00:00.000Z', valid_from: '2026-11-01T00:00:00Z', name: `No. ${number}`, ...rest,
  }
}
