import { checkPollStatus } from '@tripline/sources/polling/poll-request'
import type { PollRequester, PollResponse } from '@tripline/sources/polling/poll-request'
import type { Egress } from '../../../egress/egress.ts'
import { limits } from '../../limits.ts'
import { createPollRequester } from '../poll-requester.ts'
import type { FeedTarget } from './feed-target.ts'

type FeedRequest = {
  readonly headers?: { readonly [name: string]: string }
  readonly bytesMax: number
  readonly isCut?: boolean
}

/** Sends the requests of one feed with its credentials. */
export class FeedClient {
  readonly target: FeedTarget
  readonly now: () => number
  readonly #request: PollRequester
  readonly #signal: AbortSignal
  readonly #timeoutMs: number

  constructor(
    target: FeedTarget,
    { egress, now, signal, timeoutMs = limits.connector.pageMs }: {
      readonly egress: Egress; readonly now: () => number; readonly signal: AbortSignal; readonly timeoutMs?: number
    },
  ) {
    this.target = target
    this.now = now
    this.#request = createPollRequester(egress)
    this.#signal = signal
    this.#timeoutMs = timeoutMs
  }

  /** Returns a response of status 2xx, or 304. @throws PollError for another one, or none. */
  async get(url: URL, { headers, ...bounds }: FeedRequest): Promise<PollResponse> {
    const sent = { ...headers, ...this.target.credentials }
    const request = { method: 'GET', url: url.href, headers: sent, timeoutMs: this.#timeoutMs, signal: this.#signal, ...bounds } as const
    const answer = await this.#request(request)
    if (answer.status === 304) return answer
    return checkPollStatus(answer, url, { now: this.now(), credentials: 'username and password' })
  }
}
