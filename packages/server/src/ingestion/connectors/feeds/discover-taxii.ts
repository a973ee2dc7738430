import { isJsonObject } from '@tripline/common/json'
import { PollError } from '@tripline/sources/polling/poll-error'
import { limits } from '../../limits.ts'
import type { FeedClient } from './feed-client.ts'
import { fetchTaxiiResource } from './taxii.ts'

/** Where servers of TAXII 2.1 list their API roots (4.1). */
const discoveryPath = '/taxii2/'

/**
 * Says what a server has in place of the collection that it does not know: the collections of the API root, or else its API roots.
 * Undefined where it lists neither. Identifiers and titles of the server are shown to the person who tests its settings.
 */
export async function describeCollections(client: FeedClient): Promise<string | undefined> {
  const { url: root } = client.target
  const collectionsUrl = new URL(root)
  collectionsUrl.pathname = `${root.pathname.replace(/\/+$/, '')}/collections/`
  const collections = await readList(client, collectionsUrl, 'collections')
  if (collections !== undefined) {
    const names = collections.flatMap((each) => (isJsonObject(each) ? describeCollection(each) : []))
    return names.length === 0 ? 'the API root has no collection that may be read' : `the API root has ${printList(names)}`
  }
  const roots = (await readList(client, new URL(discoveryPath, root), 'api_roots'))?.filter((each) => typeof each === 'string')
  return roots === undefined || roots.length === 0 ? undefined : `the server has the API roots ${printList(roots)}`
}

/** A list of a resource; undefined if there is no such resource, or it is another one. */
async function readList(client: FeedClient, url: URL, name: string): Promise<readonly unknown[] | undefined> {
  try {
    const list = (await fetchTaxiiResource(client, url))[name]
    return Array.isArray(list) ? list : undefined
  } catch (error) {
    // What the server refuses to tell is not the problem: that is the collection that it does not know.
    if (error instanceof PollError) return undefined
    throw error
  }
}

function describeCollection({ id, title, can_read: canRead }: { readonly [name: string]: unknown }): readonly string[] {
  if (typeof id !== 'string' || canRead === false) return []
  return [typeof title === 'string' && title !== '' ? `${shorten(id)} (${shorten(title)})` : shorten(id)]
}

function printList(names: readonly string[]): string {
  const { namedMax } = limits.feeds
  const rest = names.length - namedMax
  return `${names.slice(0, namedMax).map(shorten).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** Makes a text of a server fit for a message: one line, and no longer than one wants to read. */
function shorten(text: string): string {
  const { nameLengthMax } = limits.feeds
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length <= nameLengthMax ? line : `${line.slice(0, nameLengthMax)}...`
}
