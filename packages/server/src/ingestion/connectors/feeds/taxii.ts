import { parseShallowObject } from '@tripline/common/json'
import { PollError } from '@tripline/sources/polling/poll-error'
import type { EgressResponse } from '../../../egress/egress.ts'
import { limits } from '../../limits.ts'
import type { FeedClient } from './feed-client.ts'
import type { FeedItem } from './feed-item.ts'
import type { FeedPosition } from './feed-position.ts'
import { readStixObject } from './read-stix.ts'

const mediaType = 'application/taxii+json;version=2.1'

/** A page of a collection. */
type TaxiiPage = {
  readonly items: readonly FeedItem[]
  readonly byteCount: number
  /** Where the next page begins; undefined behind the last one. */
  readonly next: Pick<FeedPosition, 'addedAfter' | 'next' | 'addedLast'> | undefined
  /** The newest moment so far at which an object was added. */
  readonly addedLast: string | undefined
}

/** Asks whether a collection may be read. @throws PollError. */
export async function checkCollection(client: FeedClient): Promise<EgressResponse> {
  const answer = await get(client, getCollectionUrl(client), limits.feeds.collectionBytesMax)
  if (readObject(answer)['can_read'] === false) {
    throw new PollError('authentication', 'the collection may not be read with these credentials', { latencyMs: answer.latencyMs })
  }
  return answer
}

/**
 * Fetches the indicators behind a position (TAXII 2.1, 3.4 and 5.4).
 *
 * @throws PollError for no response, or one that is no page of a collection.
 */
export async function fetchTaxiiPage(
  client: FeedClient, position: Pick<FeedPosition, 'addedAfter' | 'next' | 'addedLast'>, pageSize: number = limits.feeds.pageObjectsMax,
): Promise<TaxiiPage> {
  const { addedAfter, next } = position
  const url = getCollectionUrl(client, 'objects/')
  url.searchParams.set('match[type]', 'indicator')
  url.searchParams.set('limit', String(pageSize))
  if (addedAfter !== undefined) url.searchParams.set('added_after', addedAfter)
  if (next !== undefined) url.searchParams.set('next', next)
  const answer = await get(client, url, limits.connector.pageBytesMax)
  const { objects = [], more, next: named } = readObject(answer)
  if (!Array.isArray(objects)) throw createPageError('has no list of objects')
  const at = client.now()
  const items = objects.flatMap((object: unknown) => readStixObject(object, client.target, at) ?? [])
  const addedLast = readAdded(answer) ?? position.addedLast
  const page = { items, byteCount: answer.body.length, addedLast }
  if (more !== true) return { ...page, next: undefined }
  if (named !== undefined) return { ...page, next: { addedAfter, next: checkName(named), addedLast } }
  // A server without `next` continues behind the newest object of this page.
  if (addedLast === undefined || addedLast === addedAfter) throw createPageError('has more objects and names no next page')
  return { ...page, next: { addedAfter: addedLast, addedLast } }
}

/** A small resource of a TAXII server. @throws PollError for no response, or one that is no JSON object. */
export async function fetchTaxiiResource(client: FeedClient, url: URL): Promise<{ readonly [name: string]: unknown }> {
  return readObject(await client.get(url, { headers: { accept: mediaType }, bytesMax: limits.feeds.collectionBytesMax }))
}

async function get(client: FeedClient, url: URL, bytesMax: number): Promise<EgressResponse> {
  try {
    return await client.get(url, { headers: { accept: mediaType }, bytesMax })
  } catch (error) {
    if (!(error instanceof PollError)) throw error
    const { stage, latencyMs, status } = error
    if (status === 404) throw new PollError(stage, `${error.message}: check api_root and collection`, { latencyMs, status })
    if (status === 406) throw new PollError(stage, `${error.message}: the server does not speak TAXII 2.1`, { latencyMs, status })
    throw error
  }
}

/** The address of the collection; a query of the API root stays. */
function getCollectionUrl({ target: { url, collection } }: FeedClient, rest = ''): URL {
  const next = new URL(url)
  next.pathname = `${url.pathname.replace(/\/+$/, '')}/collections/${encodeURIComponent(collection)}/${rest}`
  return next
}

function readObject({ body }: EgressResponse): { readonly [name: string]: unknown } {
  const parsed = parseShallowObject(body, limits.feeds.pageDepthMax)
  if (parsed === 'too deep') throw createPageError('is nested too deeply')
  if (parsed === 'no object') throw createPageError('is no JSON object: check api_root and collection')
  return parsed
}

/** The header is taken over as it is: its fractions of a second may be finer than ours. */
function readAdded({ headers }: EgressResponse): string | undefined {
  const text = headers['x-taxii-date-added-last']
  return text !== undefined && text.length <= limits.feeds.instantLengthMax && Number.isFinite(Date.parse(text)) ? text : undefined
}

function checkName(next: unknown): string {
  if (typeof next === 'string' && next.length <= limits.connector.cursorLengthMax) return next
  throw createPageError(`names a next page that is no text of at most ${limits.connector.cursorLengthMax} characters`)
}

function createPageError(sentence: string): PollError {
  return new PollError('data_flow', `the response ${sentence}`)
}
