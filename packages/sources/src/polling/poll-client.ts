import { parseShallowObject } from '@tripline/common/json'
import { limits } from '../limits.ts'
import { PollError } from './poll-error.ts'
import { checkPollStatus, formatBasicAuth, getDisplayPath } from './poll-request.ts'
import type { PollRequester, PollResponse } from './poll-request.ts'
import type { PollTarget } from './poll-target.ts'

/** How to request one page. */
type PageRequestOptions = {
  readonly timeoutMs: number
  readonly bytesMax: number
  readonly isCut?: boolean
  readonly signal: AbortSignal
}

/** Fetches the pages of one source, authenticated by an OAuth 2.0 token (client credentials) or HTTP Basic. */
export class PollClient {
  readonly target: PollTarget
  readonly #request: PollRequester
  readonly #now: () => number
  #token: { readonly text: string; readonly endsAt: number } | undefined

  constructor(target: PollTarget, { request, now }: { readonly request: PollRequester; readonly now: () => number }) {
    this.target = target
    this.#request = request
    this.#now = now
  }

  /**
   * Fetches the page at a cursor, or the first. A rejected token is dropped and replaced once.
   *
   * @throws PollError for no response, or one that is no page.
   */
  async fetchPage(cursor: string | undefined, bounds: PageRequestOptions): Promise<PollResponse> {
    const url = this.#getPageUrl(cursor)
    const hadToken = this.#token !== undefined
    const answer = await this.#ask(url, bounds)
    if (answer.status !== 401 || !hadToken) return this.#checkStatus(answer, url)
    this.#token = undefined
    return this.#checkStatus(await this.#ask(url, bounds), url)
  }

  async #ask(url: URL, bounds: PageRequestOptions): Promise<PollResponse> {
    const authorization = await this.#authorization(bounds)
    const headers = authorization === undefined ? {} : { authorization }
    return await this.#request({ method: 'GET', url: url.href, headers, ...bounds })
  }

  /** The Authorization header; the token is renewed shortly before it expires. */
  async #authorization({ timeoutMs, signal }: PageRequestOptions): Promise<string | undefined> {
    const { client, tokenUrl } = this.target
    if (client === undefined) return undefined
    if (tokenUrl === undefined) return formatBasicAuth(client)
    if (this.#token === undefined || this.#token.endsAt <= this.#now()) {
      const authorization = formatBasicAuth({ id: encodeForm(client.id), secret: encodeForm(client.secret) })
      const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
      const asking = { method: 'POST', url: tokenUrl.href, headers, body: 'grant_type=client_credentials' } as const
      const answer = await this.#request({ ...asking, timeoutMs, signal, bytesMax: limits.polling.probeBytesMax })
      this.#token = this.#parseToken(answer, tokenUrl)
    }
    return `Bearer ${this.#token.text}`
  }

  #parseToken(answer: PollResponse, url: URL): { text: string; endsAt: number } {
    const { latencyMs } = answer
    const parsed = parseShallowObject(answer.body, limits.polling.tokenDepthMax)
    const body = typeof parsed === 'string' ? undefined : parsed
    if (answer.status < 200 || answer.status > 299) {
      if (answer.status >= 500 || answer.status === 429) this.#checkStatus(answer, url)
      const named = body?.['error']
      const error = typeof named === 'string' && /^\w{1,64}$/.test(named) ? named : `from ${getDisplayPath(url)}`
      const message = `${answer.status} ${error}: check client_id, client_secret and token_url`
      throw new PollError('authentication', message, { latencyMs })
    }
    const text = body?.['access_token']
    if (typeof text !== 'string' || text.length > limits.polling.tokenLengthMax || !/^[!-~]+$/.test(text)) {
      throw new PollError('authentication', `the response from ${getDisplayPath(url)} has no usable access_token`, { latencyMs })
    }
    const seconds = Number(body?.['expires_in'] ?? 3_600)
    const lifeMs = Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 0
    return { text, endsAt: this.#now() + lifeMs - limits.polling.tokenEarlyMs }
  }

  /** @throws PollError for a status outside 2xx. */
  #checkStatus(answer: PollResponse, url: URL): PollResponse {
    return checkPollStatus(answer, url, { now: this.#now(), credentials: 'client_id and client_secret' })
  }

  /**
   * A cursor becomes a query parameter; a cursor that is a URL is the next page, but credentials go to no other host.
   */
  #getPageUrl(cursor: string | undefined): URL {
    const { url } = this.target
    if (cursor === undefined) return url
    if (/^https?:/i.test(cursor)) {
      const next = URL.parse(cursor)
      if (next?.origin !== url.origin) throw new PollError('data_flow', 'the cursor points to another host than the first page')
      return next
    }
    const next = new URL(url)
    next.searchParams.set('cursor', cursor)
    return next
  }
}

/** RFC 6749, 2.3.1: id and secret are form-encoded before they are joined. */
function encodeForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
