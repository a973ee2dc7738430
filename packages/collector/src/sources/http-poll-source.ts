import { getErrorMessage } from '@tripline/common/error-message'
import { decodeLine } from '@tripline/sources/lines/decode-line'
import { poll } from '@tripline/sources/polling/poll'
import { PollClient } from '@tripline/sources/polling/poll-client'
import { PollError } from '@tripline/sources/polling/poll-error'
import { readStoredPosition, toStoredPosition } from '@tripline/sources/polling/poll-position'
import type { PollRequester } from '@tripline/sources/polling/poll-request'
import type { PollTarget } from '@tripline/sources/polling/poll-target'
import type { HttpPollSourceConfig } from '../config/source-config.ts'
import { sendRequest } from '../http/send-request.ts'
import type { RunSource, SourceContext } from './source.ts'

/** Polls an HTTP API page by page; a page's events go to the spool together with the position behind them. */
export function createHttpPollSource(config: HttpPollSourceConfig): RunSource {
  return async (context, signal) => {
    const { name, now, sleep, append, waitForRoom, countDropped, reportHealthy } = context
    const client = new PollClient(toTarget(config), { request: createRequester(config, now), now })
    let position = readStoredPosition(isPollPosition(context.position) ? context.position : undefined)
    while (!signal.aborted) {
      position = await poll(client, {
        sourceId: name, position, signal,
        withPermit: (work) => work(),
        store: async (page) => {
          // The last page is read again and again, and what it has besides events with it.
          if (page.position !== undefined) {
            await waitForRoom(signal)
            if (signal.aborted) return
            await append(decodeEvents(page.events, config, context), toStoredPosition(page.position))
            if (page.refusedCount > 0) countDropped(page.refusedCount, 'not an event')
          }
          reportHealthy()
        },
      })
      await sleep(config.poll_interval * 1_000, signal)
    }
  }
}

/** A source that had another type under this name left another position. */
function isPollPosition(position: SourceContext['position']): boolean {
  return position !== undefined && Array.isArray(position['seen'])
}

function toTarget(config: HttpPollSourceConfig): PollTarget {
  const { url, client_id: id, client_secret: secret, token_url: tokenUrl, items_path: items, cursor_path: cursor } = config
  return {
    url: new URL(url),
    client: id === undefined || secret === undefined ? undefined : { id, secret },
    tokenUrl: tokenUrl === undefined ? undefined : new URL(tokenUrl),
    itemsPath: items?.split('.') ?? [],
    cursorPath: cursor?.split('.'),
    intervalMs: config.poll_interval * 1_000,
  }
}

/** Events as lines: pages may be printed with breaks, which stand only between values. */
function decodeEvents(
  events: readonly { readonly bytes: Uint8Array }[], { log_source: logsource }: HttpPollSourceConfig, { now, countDropped }: SourceContext,
): readonly Uint8Array[] {
  const decoded = events.map(({ bytes }) => {
    const line = Buffer.from(bytes.map((byte) => (byte === 0x0a ? 0x20 : byte)))
    return decodeLine(line, { format: 'json', logsource, receivedAt: now(), hostname: undefined })
  })
  const refused = decoded.find((one) => 'problem' in one)
  const lines = decoded.flatMap((one) => ('bytes' in one ? [one.bytes] : []))
  if (refused !== undefined && 'problem' in refused) countDropped(decoded.length - lines.length, refused.problem)
  return lines
}

function createRequester({ tls_ca: ca }: HttpPollSourceConfig, now: () => number): PollRequester {
  return async (request) => {
    const startedAt = now()
    try {
      const response = await sendRequest({ ...request, ...(ca !== undefined && { ca }) })
      return { ...response, isCut: false, tls: undefined, latencyMs: now() - startedAt }
    } catch (error) {
      throw new PollError('connectivity', getErrorMessage(error))
    }
  }
}
