/**
 * Starts work on items as they come and gives the results in the order of the items. Of at most `countMax` items
 * work has begun whose result nobody has taken; then no more are asked for. A result does not wait for later items,
 * and an error of the items comes after the results of those before it.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  countMax: number,
  start: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const iterator = items[Symbol.asyncIterator]()
  const begun: Promise<Result>[] = []
  let failure: { readonly error: unknown } | undefined
  const ask = (): Promise<IteratorResult<Item>> => iterator.next().catch((error: unknown) => {
    failure = { error }
    return { done: true, value: undefined }
  })
  let next: Promise<IteratorResult<Item>> | undefined = ask()
  while (next !== undefined || begun.length > 0) {
    const asked = begun.length < countMax ? next : undefined
    const arrived: IteratorResult<Item> | undefined = await takeNextIfFirst(asked, begun[0])
    if (arrived === undefined) yield await begun.shift()!
    else if (arrived.done === true) next = undefined
    else {
      const result = start(arrived.value)
      // It is awaited in its turn, or never when an earlier one fails.
      result.catch(() => {})
      begun.push(result)
      next = ask()
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
