import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

type SentRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | Uint8Array
  readonly bytesMax: number
  readonly timeoutMs: number
  /** Certificates in PEM that alone are trusted, in place of those of the system. */
  readonly ca?: string
  /** Default: true. */
  readonly verifiesCertificate?: boolean
  readonly signal?: AbortSignal
}

type ReceivedResponse = {
  readonly status: number
  /** By names in small letters. */
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: Buffer
}

/** Sends a request and reads its whole response. @throws Error when it fails, takes too long, or the response is too large. */
export async function sendRequest(
  { method, url, headers, body, bytesMax, timeoutMs, ca, verifiesCertificate = true, signal }: SentRequest,
): Promise<ReceivedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>()
  const timeout = AbortSignal.timeout(timeoutMs)
  const options = { method, headers, signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) }
  const send = url.startsWith('https:')
    ? requestHttps(url, { ...options, rejectUnauthorized: verifiesCertificate, ...(ca !== undefined && { ca }) })
    : requestHttp(url, options)
  send.on('error', (error) => reject(timeout.aborted ? new Error(`no response within ${timeoutMs} ms`) : error))
  send.on('response', (response) => {
    const chunks: Buffer[] = []
    let byteCount = 0
    response.on('error', reject)
    response.on('data', (chunk: Buffer) => {
      byteCount += chunk.length
      if (byteCount > bytesMax) response.destroy(new Error(`the response has more than ${bytesMax} bytes`))
      else chunks.push(chunk)
    })
    response.on('end', () => {
      const toText = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(', ') : value)
      const headers = Object.entries(response.headers).map(([name, value]) => [name, toText(value)] as const)
      resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) })
    })
  })
  send.end(body)
  return await promise
}
