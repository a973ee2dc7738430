import { createStore } from '../lib/store.ts'
import { ApiError, readApiError } from './api-error.ts'
import { expireSession, getToken, renewToken, waitForToken } from './session.ts'

/** A request of the console API. */
type ApiRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Query parameters; undefined and empty ones are left out. */
  readonly query?: { readonly [name: string]: string | undefined }
  /** Sent as JSON; a blob as it is, under its own type. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** The version that a change expects, as the ETag of a response. */
  readonly ifMatch?: string | undefined
}

/** A response: its body, and the version of the resource where there is one. */
type ApiAnswer<Body> = { readonly body: Body; readonly etag: string | undefined }

/** Times that a request waits for the rate limit before it fails. */
const patienceMax = 2

/** How many requests wait because the server asked for that. */
export const slowedCount = createStore(0)

/** Sends a request and returns the body. @throws ApiError. */
export async function callApi<Body>(path: string, request: ApiRequest = {}): Promise<Body> {
  return (await sendApi<Body>(path, request)).body
}

/**
 * Sends a request with the access token. A 401 renews the token once, for all requests together; a second one opens the login
 * over the page, and the request goes on after it. A 401 that names a parameter is the caller's: a password in the body is wrong,
 * and the session is not. A 429 waits as long as the server asks.
 *
 * @throws ApiError.
 */
export async function sendApi<Body>(path: string, request: ApiRequest = {}): Promise<ApiAnswer<Body>> {
  const response = await getResponse(path, request)
  return { body: await readBody<Body>(response), etag: response.headers.get('etag') ?? undefined }
}

/** Fetches a file under the name that the server gives it. @throws ApiError. */
export async function fetchFile(path: string, request: ApiRequest = {}): Promise<File> {
  const response = await getResponse(path, request)
  return toFile(response, [await response.blob()])
}

/** The body of a response as a file under the name that the server gives it. */
export function toFile({ headers }: Response, parts: BlobPart[]): File {
  const [, name = 'file'] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? []
  return new File(parts, name, { type: headers.get('content-type') ?? '' })
}

/** Sends a request as `sendApi` does, and returns the response with its body still to be read. @throws ApiError. */
export async function getResponse(path: string, request: ApiRequest): Promise<Response> {
  let token = getToken() ?? (await waitForToken())
  let isRenewed = false
  for (let patience = 0; ;) {
    const response = await send(path, request, token)
    if (response.ok) return response
    if (response.status === 401) {
      const refused = await readApiError(response)
      if (refused.details['parameter'] !== undefined) throw refused
      const renewed: string | undefined = isRenewed ? undefined : await renewToken(token)
      if (renewed === undefined) expireSession()
      token = renewed ?? (await waitForToken())
      isRenewed = renewed !== undefined
      continue
    }
    if (response.status === 429 && patience < patienceMax) {
      patience++
      slowedCount.update((before) => before + 1)
      try {
        await wait(1_000 * Math.min(30, Number(response.headers.get('retry-after') ?? 1)), request.signal)
      } finally {
        slowedCount.update((before) => before - 1)
      }
      continue
    }
    throw await readApiError(response)
  }
}

async function send(path: string, { method = 'GET', query, body, signal, ifMatch }: ApiRequest, token: string): Promise<Response> {
  const headers = new Headers({ authorization: `Bearer ${token}` })
  const isRaw = body instanceof Blob
  if (body !== undefined) headers.set('content-type', isRaw ? body.type : 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  const init = { method, headers, ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }), ...(signal && { signal }) }
  try {
    return await fetch(path + printQuery(query), init)
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiError({ status: 0, code: 'NETWORK', message: String(error) })
  }
}

function printQuery(query: ApiRequest['query'] = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  const text = new URLSearchParams(given).toString()
  return text === '' ? '' : `?${text}`
}

async function readBody<Body>(response: Response): Promise<Body> {
  return (response.status === 204 ? undefined : await response.json()) as Body
}

function wait(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(new DOMException('aborted', 'AbortError'))
      },
      { once: true },
    )
  })
}
