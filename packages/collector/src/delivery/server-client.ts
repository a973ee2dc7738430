import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Credential } from '../config/credential.ts'
import { sendRequest } from '../http/send-request.ts'
import { limits } from '../limits.ts'

/** The server, and what is trusted of it. */
export type ServerPlace = { readonly url: string; readonly ca: string | undefined }

export type JsonReply = {
  readonly status: number
  readonly retryAfterMs: number | undefined
  readonly body: { readonly [name: string]: unknown }
}

type SendOptions = { readonly credential?: string; readonly signal?: AbortSignal }

const compress = promisify(gzip)

/** Sends JSON to a path of the server. @throws Error when it cannot be reached. */
export async function postJson(
  { url, ca }: ServerPlace, path: string, body: object, { credential, signal }: SendOptions = {},
): Promise<JsonReply> {
  return toReply(await sendRequest({
    method: 'POST', url: joinUrl(url, path), body: JSON.stringify(body), ...commonOptions(ca, signal),
    headers: { 'content-type': 'application/json', ...(credential !== undefined && { authorization: `Bearer ${credential}` }) },
  }))
}

/** Sends lines of JSON as a batch that the server recognises when it comes again. @throws Error when it cannot be reached. */
export async function postEvents(
  { url, ca }: ServerPlace, { credential }: Credential, batch: { readonly id: string; readonly lines: Buffer }, signal: AbortSignal,
): Promise<JsonReply> {
  return toReply(await sendRequest({
    method: 'POST', url: joinUrl(url, '/ingest/v1/events'), body: await compress(batch.lines), ...commonOptions(ca, signal),
    headers: {
      'content-type': 'application/x-ndjson', 'content-encoding': 'gzip', 'x-batch-id': batch.id, authorization: `Bearer ${credential}`,
    },
  }))
}

function commonOptions(ca: string | undefined, signal: AbortSignal | undefined): {
  readonly bytesMax: number; readonly timeoutMs: number; readonly ca?: string; readonly signal?: AbortSignal
} {
  const { responseBytesMax: bytesMax, requestMs: timeoutMs } = limits.delivery
  return { bytesMax, timeoutMs, ...(ca !== undefined && { ca }), ...(signal && { signal }) }
}

function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}${path}`
}

function toReply({ status, headers, body }: Awaited<ReturnType<typeof sendRequest>>): JsonReply {
  const parsed = tryParseJson(body.toString('utf8'))
  const seconds = Number(headers['retry-after'] ?? NaN)
  return {
    status, body: 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {},
    retryAfterMs: Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1_000, limits.delivery.retryAfterMaxMs) : undefined,
  }
}

/** What a reply says is wrong. */
export function describeReply({ status, body }: JsonReply): string {
  const error = isJsonObject(body['error']) ? body['error'] : {}
  const message = typeof error['message'] === 'string' ? `: ${error['message']}` : ''
  return `the server answers ${status}${message}`
}
