import { isJsonObject, measureJson, skipBlanks, tryParseJson } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import { limits } from './limits.ts'
import { BodyDeadline } from './body-deadline.ts'
import type { RequestContext } from './route.ts'

/**
 * Reads a request body of at most `bytesMax` bytes and passes it to `use`; its bytes count against the memory limit until
 * `use` finishes.
 *
 * @throws AppError PAYLOAD_TOO_LARGE as soon as the size is known to be too large; REQUEST_TIMEOUT if it arrives too slowly;
 *   INVALID_BODY if it is incomplete.
 */
export async function withBody<Result>(
  c: RequestContext, bytesMax: number, use: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  const memory = c.get('bodies')
  const tooLarge = (): AppError =>
    new AppError('PAYLOAD_TOO_LARGE', `the body has more than ${bytesMax} bytes`, { limit_bytes: bytesMax })
  if (Number(c.req.header('content-length') ?? 0) > bytesMax) throw tooLarge()
  const chunks: Uint8Array[] = []
  let byteCount = 0
  try {
    for await (const chunk of readChunks(c.req.raw.body)) {
      if (byteCount + chunk.length > bytesMax) throw tooLarge()
      memory.reserve(chunk.length)
      byteCount += chunk.length
      chunks.push(chunk)
    }
    const [first, ...others] = chunks
    // A short body is one chunk, which need not be copied.
    const isOne = first !== undefined && others.length === 0
    return await use(isOne ? Buffer.from(first.buffer, first.byteOffset, first.byteLength) : Buffer.concat(chunks, byteCount))
  } finally {
    memory.release(byteCount)
  }
}

/**
 * Parses a body as a JSON object after checking its depth.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for another content type; INVALID_BODY for invalid JSON.
 */
export function parseJsonBody(c: RequestContext, bytes: Buffer): { readonly [field: string]: unknown } {
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    const supported = ['application/json']
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'the content type must be application/json', { supported })
  }
  const { bodyDepthMax, bodyFieldsMax } = limits.request
  const extent = measureJson(bytes, skipBlanks(bytes, 0, bytes.length), bytes.length)
  if (extent === undefined) throw invalidBody('the body is not a JSON object')
  if (extent.depth > bodyDepthMax) throw invalidBody(`the body nests deeper than ${bodyDepthMax} levels`)
  if (extent.fieldCount > bodyFieldsMax) throw invalidBody(`the body has more than ${bodyFieldsMax} fields`)
  const parsed = tryParseJson(bytes.toString('utf8'))
  if ('problem' in parsed) throw invalidBody(`the body is not valid JSON: ${parsed.problem}`)
  if (!isJsonObject(parsed.value)) throw invalidBody('the body is not a JSON object')
  return parsed.value
}

/**
 * Reads the chunks of a body until it ends or is late.
 *
 * @throws AppError REQUEST_TIMEOUT, INVALID_BODY.
 */
export async function* readChunks(
  body: ReadableStream<Uint8Array> | null, elapsedMs: () => number = () => performance.now(),
): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const deadline = new BodyDeadline(elapsedMs())
  const { promise: late, reject } = Promise.withResolvers<never>()
  // Between two reads it is observed by nothing else; the next read throws it.
  late.catch(() => {})
  const check = setInterval(() => {
    const delay = deadline.findDelay(elapsedMs())
    if (delay !== undefined) reject(new AppError('REQUEST_TIMEOUT', `${delay}; send the request again`))
  }, limits.request.bodyCheckMs).unref()
  const reader = body.getReader()
  let isWhole = false
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read().catch(rejectIncomplete), late])
      isWhole = done
      if (done) return
      deadline.receive(value.length, elapsedMs())
      yield value
    }
  } finally {
    clearInterval(check)
    // The rest is not wanted. Its end is not waited for, and that it broke off meanwhile changes nothing.
    if (!isWhole) reader.cancel().catch(() => {})
  }
}

function rejectIncomplete(): never {
  throw invalidBody('the request body is incomplete')
}

function invalidBody(message: string): AppError {
  return new AppError('INVALID_BODY', message)
}
