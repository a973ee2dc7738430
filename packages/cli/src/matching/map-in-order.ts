/**
 * A bounded concurrent map: starts work on items as they arrive and yields the results in the order of the items. At
 * most `countMax` results are pending or not yet consumed; then it reads no more items. A result does not wait for
 * later items, and an error of the source comes after the results of the items before it.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  countMax: number,
  start: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const iterator = items[Symbol.asyncIterator]()
  const begun: Promise<Result>[] = []
  let failure: { readonly error: unknown } | undefined
  const readNext = (): Promise<IteratorResult<Item>> => iterator.next().catch((error: unknown) => {
    failure = { error }
    return { done: true, value: undefined }
  })
  let next: Promise<IteratorResult<Item>> | undefined = readNext()
  while (next !== undefined || begun.length > 0) {
    const pending = begun.length < countMax ? next : undefined
    const arrived: IteratorResult<Item> | undefined = await takeNextIfFirst(pending, begun[0])
    if (arrived === undefined) yield await begun.shift()!
    else if (arrived.done === true) next = undefined
    else {
      const result = start(arrived.value)
      // Awaited in its turn, or never if an earlier one fails.
      result.catch(() => {})
      begun.push(result)
      next = readNext()
    }
  }
  if (failure !== undefined) throw failure.error
}

/** The next item if it comes before the oldest result does, else undefined. */
async function takeNextIfFirst<Item, Result>(
  next: Promise<Item> | undefined,
  oldest: Promise<Result> | undefined,
): Promise<Item | undefined> {
  if (next === undefined) return undefined
  return oldest === undefined ? await next : await Promise.race([oldest.then(() => undefined), next])
}
