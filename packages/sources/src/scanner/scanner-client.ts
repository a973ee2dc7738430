import { getErrorMessage } from '@tripline/common/error-message'
import { parseJson } from '@tripline/common/parse-json'
import { limits } from '../limits.ts'
import { toFields } from './read-fields.ts'
import type { ScannerFields } from './read-fields.ts'
import type { ScannerSettings } from './scanner-settings.ts'

/** A request to a scanner; responses above `bytesMax` are refused by the sender. */
export type ScannerRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
  readonly bytesMax: number
}

type ScannerResponse = {
  readonly status: number
  /** By names in small letters. */
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: Uint8Array
}

/** What a scanner needs of the outside; the signal ends waiting. */
export type ScannerOutside = {
  readonly request: (request: ScannerRequest) => Promise<ScannerResponse>
  readonly sleep: (ms: number) => Promise<void>
  readonly now: () => number
  /** Attempts of a request; 1 for a check, which does not wait. */
  readonly attemptsMax?: number
}

/** Why a scanner could not be polled. `credentials` and `refused` do not pass by themselves, `expired` is a cursor's end. */
export class ScannerError extends Error {
  readonly kind: 'credentials' | 'refused' | 'expired' | 'unavailable'

  constructor(kind: ScannerError['kind'], message: string) {
    super(message)
    this.name = 'ScannerError'
    this.kind = kind
  }
}

/** Sends requests to a scanner, and again where a failure may pass: 429, 5xx, broken connections and garbage. */
export class ScannerClient {
  readonly #outside: ScannerOutside
  readonly #headers: { readonly [name: string]: string }
  /** The scanner's clock less ours, by its last response. */
  skewMs = 0

  constructor(settings: ScannerSettings, outside: ScannerOutside) {
    this.#outside = outside
    const { apiKey, dialect, token } = settings
    const basic = `Basic ${Buffer.from(apiKey).toString('base64')}`
    this.#headers = dialect === 'v3'
      ? { authorization: basic, ...(token !== undefined && { token }) }
      : { 'x-api-key': apiKey }
  }

  /** The time by the scanner's clock. */
  now(): number {
    return this.#outside.now() + this.skewMs
  }

  async sleep(ms: number): Promise<void> {
    await this.#outside.sleep(ms)
  }

  async getJson(url: string): Promise<ScannerFields> {
    return await this.#send({ method: 'GET', url, headers: this.#headers, bytesMax: limits.scanner.responseBytesMax }, readJson)
  }

  async postJson(url: string, body: object): Promise<ScannerFields> {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const request = { method: 'POST', url, headers, body: JSON.stringify(body), bytesMax: limits.scanner.responseBytesMax } as const
    return await this.#send(request, readJson)
  }

  /** Downloads a Parquet file of an export: its address is signed, so that no key is sent with it. */
  async download(url: string): Promise<Uint8Array> {
    return await this.#send({ method: 'GET', url, headers: {}, bytesMax: limits.scanner.exportFileBytesMax }, readParquet)
  }

  async #send<Value>(request: ScannerRequest, read: (body: Uint8Array) => Value): Promise<Value> {
    const { retryMs } = limits.scanner
    const { attemptsMax = limits.scanner.attemptsMax } = this.#outside
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#try(request, read)
      if ('value' in outcome) return outcome.value
      if (attempt === attemptsMax) throw new ScannerError('unavailable', outcome.problem)
      await this.#outside.sleep(outcome.waitMs ?? retryMs * 2 ** (attempt - 1))
    }
  }

  /** The value of a response, or why it may be sent again. @throws ScannerError where that would not help. */
  async #try<Value>(request: ScannerRequest, read: (body: Uint8Array) => Value): Promise<
    { readonly value: Value } | { readonly problem: string; readonly waitMs?: number }
  > {
    let response
    try {
      response = await this.#outside.request(request)
    } catch (error) {
      return { problem: `the scanner cannot be reached: ${getErrorMessage(error)}` }
    }
    const { status, headers, body } = response
    const serverTime = Date.parse(headers['date'] ?? '')
    if (Number.isFinite(serverTime)) this.skewMs = serverTime - this.#outside.now()
    if (status === 401 || status === 403) throw new ScannerError('credentials', `the scanner refuses the credentials (${status})`)
    if (status === 429 || status === 503) {
      const waitMs = readRetryAfter(headers['retry-after'], this.now())
      return { problem: `the scanner asks to send less (${status})`, ...(waitMs !== undefined && { waitMs }) }
    }
    if (status >= 500) return { problem: `the scanner answers ${status}` }
    const text = status >= 400 ? Buffer.from(body.subarray(0, 300)).toString('utf8') : ''
    if (status === 410 || (status >= 400 && request.url.includes('cursor=') && /cursor|expired/i.test(text))) {
      throw new ScannerError('expired', 'the cursor of the scanner has expired')
    }
    if (status !== 200) throw new ScannerError('refused', `the scanner refuses the request (${status}): ${text}`)
    try {
      return { value: read(body) }
    } catch (error) {
      return { problem: `the scanner answers with garbage: ${getErrorMessage(error)}` }
    }
  }
}

/** Parquet files begin and end with the same four letters. */
function readParquet(bytes: Uint8Array): Uint8Array {
  const read = (start: number): string => Buffer.from(bytes.subarray(start, start + 4)).toString('latin1')
  if (bytes.length < 12 || read(0) !== 'PAR1' || read(bytes.length - 4) !== 'PAR1') throw new Error('it is no Parquet file')
  return bytes
}

function readJson(bytes: Uint8Array): ScannerFields {
  const value: unknown = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  const fields = toFields(value)
  if (fields !== value) throw new Error('it is no JSON object')
  return fields
}

/** Seconds or a date, in milliseconds from now. */
function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), limits.scanner.retryAfterMaxMs) : undefined
}
