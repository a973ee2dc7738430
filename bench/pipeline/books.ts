/** The books of the pipeline as the API tells them, in events. */
export type Books = {
  readonly accepted: number
  readonly evaluated: number
  readonly quarantined: { readonly [reason: string]: number }
  readonly deduplicated: number
  readonly in_flight: number
}

type Access = { readonly origin: string; readonly token: string }

/** Reads the books, and checks that what was accepted is accounted for. */
export async function readBooks({ origin, token }: Access): Promise<Books> {
  for (;;) {
    const answered = await fetch(`${origin}/v1/pipeline/metrics`, { headers: { authorization: `Bearer ${token}` } })
    if (answered.status === 429) {
      await answered.arrayBuffer()
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      continue
    }
    const { books } = (await answered.json()) as { books: Books }
    const quarantined = Object.values(books.quarantined).reduce((sum, count) => sum + count, 0)
    if (books.accepted !== books.evaluated + quarantined + books.deduplicated + books.in_flight) {
      throw new Error(`the books do not balance: ${JSON.stringify(books)}`)
    }
    return books
  }
}

/** Waits until nothing is in flight; milliseconds that it took. */
export async function untilDrained(access: Access): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const books = await readBooks(access)
    if (books.in_flight === 0) return performance.now() - startedAt
    if (performance.now() - startedAt > 600_000) throw new Error(`${books.in_flight} events were not evaluated in ten minutes`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
