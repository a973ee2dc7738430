import { expect, test, vi } from 'vitest'
import { limits } from './limits.ts'
import { BodyDeadline } from './body-deadline.ts'
import { readChunks } from './read-body.ts'

const { bodyIdleMs, bodyBytesPerSecondMin: rate, arrivalMs } = limits.request

type Chunk = readonly [atMs: number, byteCount: number]

test.for<[what: string, chunks: readonly Chunk[], atMs: number, delay: RegExp | undefined]>([
  ['nothing yet', [], bodyIdleMs - 1, undefined],
  ['nothing for too long', [], bodyIdleMs, /^no byte of the body arrived for 10 seconds$/],
  ['a pause after a good start', [[0, 1_000_000]], bodyIdleMs, /^no byte/],
  ['a byte in time, again and again', [[9_000, 1]], bodyIdleMs + 3, /^the body arrives at less than 500 bytes per second$/],
  ['just the rate', [[9_000, 10 * rate]], 2 * bodyIdleMs - 1_001, undefined],
  ['the rate is an average', [[1, 30 * rate], [30_000, 1]], 39_999, undefined],
  ['fast, for too long', [[0, 1e9], [arrivalMs - 1, 1]], arrivalMs, /^the body did not arrive within 60 seconds$/],
])('%s', ([, chunks, atMs, delay]) => {
  const deadline = new BodyDeadline(0)
  for (const [at, byteCount] of chunks) deadline.receive(byteCount, at)
  if (delay === undefined) expect(deadline.findDelay(atMs)).toBeUndefined()
  else expect(deadline.findDelay(atMs)).toMatch(delay)
})

test('a body that stops is refused, and cancelled', async () => {
  vi.useFakeTimers()
  try {
    const cancel = vi.fn<() => void>()
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(7)), cancel })
    const chunks = readChunks(body, () => Date.now())
    expect((await chunks.next()).value).toHaveLength(7)
    const [next] = await Promise.allSettled([chunks.next(), vi.advanceTimersByTimeAsync(bodyIdleMs + limits.request.bodyCheckMs)])
    expect(next).toMatchObject({
      status: 'rejected', reason: { code: 'REQUEST_TIMEOUT', message: 'no byte of the body arrived for 10 seconds; send the request again' },
    })
    expect(cancel).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
