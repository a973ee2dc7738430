/** What became of an offered load. */
export type LoadOutcome = {
  readonly acceptedCount: number
  /** Batches that were told to come again later; they did. */
  readonly refusedCount: number
  readonly wallMs: number
  /** Milliseconds from sending a batch to its 202, of each that was accepted. */
  readonly acknowledgedMs: readonly number[]
}

export type LoadOptions = {
  readonly origin: string
  readonly token: string
  readonly batches: Iterable<{ readonly body: Buffer; readonly count: number }>
  /** Undefined for as fast as it is taken. */
  readonly eventsPerSecond: number | undefined
  /** Requests under way at a time. */
  readonly senders: number
}

/**
 * Sends batches at a rate, whether or not the server keeps up: what is sent late is measured from when it was due,
 * so that a server that stands still for a second cannot hide it.
 */
export async function offerLoad({ origin, token, batches, eventsPerSecond, senders }: LoadOptions): Promise<LoadOutcome> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const acknowledgedMs: number[] = []
  let acceptedCount = 0
  let refusedCount = 0
  let offered = 0
  const startedAt = performance.now()
  const source = batches[Symbol.iterator]()
  const send = async (): Promise<void> => {
    for (let next = source.next(); next.done !== true; next = source.next()) {
      const { body, count } = next.value
      const dueAt = eventsPerSecond === undefined ? performance.now() : startedAt + (offered / eventsPerSecond) * 1_000
      offered += count
      const waitMs = dueAt - performance.now()
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      for (;;) {
        const answered = await fetch(`${origin}/ingest/v1/events`, { method: 'POST', headers, body })
        if (answered.status === 202) {
          acceptedCount += ((await answered.json()) as { accepted: number }).accepted
          break
        }
        if (answered.status !== 429 && answered.status !== 503) {
          throw new Error(`a batch was answered ${answered.status}: ${await answered.text()}`)
        }
        await answered.arrayBuffer()
        refusedCount++
        await new Promise((resolve) => setTimeout(resolve, Number(answered.headers.get('retry-after') ?? 1) * 1_000))
      }
      acknowledgedMs.push(performance.now() - dueAt)
    }
  }
  await Promise.all(Array.from({ length: senders }, send))
  return { acceptedCount, refusedCount, wallMs: performance.now() - startedAt, acknowledgedMs }
}

/** The value that so many percent of all are at most; undefined of none. */
export function computePercentile(values: readonly number[], percent: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)]
}
