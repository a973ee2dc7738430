import { limits } from '../limits.ts'
import { PollError } from './poll-error.ts'

type PollRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
  /** Milliseconds for everything. */
  readonly timeoutMs: number
  readonly bytesMax: number
  /** Whether to return the first `bytesMax` bytes of a longer body; otherwise a longer body is an error. */
  readonly isCut?: boolean
  readonly signal?: AbortSignal
}

export type PollResponse = {
  readonly status: number
  /** By names in small letters. */
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: Buffer
  readonly isCut: boolean
  /** Such as `TLSv1.3`; undefined for http. */
  readonly tls: string | undefined
  /** Milliseconds to the response header. */
  readonly latencyMs: number
}

/** Sends a request to a source. @throws PollError for no response, or one that cannot be read. */
export type PollRequester = (request: PollRequest) => Promise<PollResponse>

/**
 * Returns a response of a source if its status is 2xx.
 *
 * @param credentials the settings to check where the source refuses access.
 * @throws PollError for another status.
 */
export function checkPollStatus(
  answer: PollResponse, url: URL, { now, credentials }: { readonly now: number; readonly credentials: string },
): PollResponse {
  const { status, latencyMs } = answer
  if (status >= 200 && status <= 299) return answer
  const told = { latencyMs, retryAfterMs: parseRetryAfter(answer, now), status }
  const said = `${status} from ${getDisplayPath(url)}`
  if (status === 401 || status === 403) throw new PollError('authentication', `${said}: check ${credentials}`, told)
  if (status === 429) throw new PollError('data_flow', `${said}: rate limited by the source`, told)
  if (status >= 300 && status <= 399) throw new PollError('connectivity', `${said}: redirects are not followed`, told)
  throw new PollError('connectivity', said, told)
}

/** Prints credentials for the header Authorization. */
export function formatBasicAuth({ id, secret }: { readonly id: string; readonly secret: string }): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

/** The path alone, shortened: a query may hold secrets. */
export function getDisplayPath({ pathname }: URL): string {
  return pathname.length <= 64 ? pathname : `${pathname.slice(0, 64)}...`
}

/** Seconds or a date (RFC 9110), bounded by `limits.polling.retryAfterMsMax`. */
function parseRetryAfter({ headers }: PollResponse, now: number): number | undefined {
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isFinite(waitMs) ? Math.min(Math.max(0, waitMs), limits.polling.retryAfterMsMax) : undefined
}
