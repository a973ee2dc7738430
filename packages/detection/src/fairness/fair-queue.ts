/** An item of a flow, with the work that it was estimated to take. */
type Served<Item> = { readonly flow: string; readonly item: Item; readonly work: number }

type FairQueueOptions<Item> = {
  /** The work that a flow of weight 1 may take in one round. */
  readonly quantum: number
  /** The share of a flow beside others; default 1. */
  readonly getWeight?: (flow: string) => number
  /** Estimates the work of an item when it is its turn. */
  readonly estimateWork: (flow: string, item: Item) => number
  /** The size of an item, such as its bytes; default 0. */
  readonly getSize?: (item: Item) => number
}

/** How much one call may serve. */
type TakeBounds = { readonly itemsMax: number; readonly workMax: number; readonly sizeMax?: number }

type Flow<Item> = {
  items: Item[]
  /** The index of the next item: the ones before it were served. */
  next: number
  /** The work that the flow may still take; negative where its items took more than was estimated. */
  deficit: number
  /** Whether it has received the quantum of this round. */
  hasQuantum: boolean
}

/**
 * A queue of flows that shares work fairly, by deficit round robin (M. Shreedhar and G. Varghese, "Efficient fair queueing
 * using deficit round robin", SIGCOMM 1995): in each round every flow with items may take its quantum of work, and what it
 * leaves is added to its next turn. The items of a flow keep their order, and a flow waits for at most one quantum of each
 * other flow, however much they have queued. Items cost estimated work, so `charge` corrects the next turn of their flow.
 */
export class FairQueue<Item> {
  readonly #options: FairQueueOptions<Item>
  /** Flows with items, in the order of their turns. */
  readonly #active = new Map<string, Flow<Item>>()
  /** Work beyond its quanta that a flow has taken whose items are all served. */
  readonly #debts = new Map<string, number>()

  constructor(options: FairQueueOptions<Item>) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#active.size === 0
  }

  get flows(): IterableIterator<string> {
    return this.#active.keys()
  }

  /** The number of items that a flow has queued. */
  getLength(flow: string): number {
    const { items, next } = this.#active.get(flow) ?? { items: [], next: 0 }
    return items.length - next
  }

  /** The next item of a flow. */
  peek(flow: string): Item | undefined {
    const { items, next } = this.#active.get(flow) ?? { items: [], next: 0 }
    return items[next]
  }

  push(flow: string, item: Item): void {
    const queued = this.#active.get(flow)
    if (queued !== undefined) {
      queued.items.push(item)
      return
    }
    this.#active.set(flow, { items: [item], next: 0, deficit: this.#debts.get(flow) ?? 0, hasQuantum: false })
    this.#debts.delete(flow)
  }

  /**
   * Serves the next items of all flows, or of those that are chosen: at least one if there are any, and no more than the bounds
   * otherwise.
   */
  take({ itemsMax, workMax, sizeMax = Infinity }: TakeBounds, isChosen: (flow: string) => boolean = () => true): Served<Item>[] {
    const { quantum, getWeight = () => 1, estimateWork, getSize = () => 0 } = this.#options
    const served: Served<Item>[] = []
    let workSum = 0
    let sizeSum = 0
    for (let next = this.#findNext(isChosen); next !== undefined; next = this.#findNext(isChosen)) {
      const [flow, queue] = next
      if (!queue.hasQuantum) queue.deficit += quantum * getWeight(flow)
      queue.hasQuantum = true
      while (queue.next < queue.items.length) {
        const item = queue.items[queue.next]!
        const work = estimateWork(flow, item)
        if (work > queue.deficit) break
        const size = getSize(item)
        const isFull = served.length >= itemsMax || workSum + work > workMax || sizeSum + size > sizeMax
        if (isFull && served.length > 0) return served
        queue.next++
        queue.deficit -= work
        workSum += work
        sizeSum += size
        served.push({ flow, item, work })
      }
      this.#endTurn(flow, queue)
    }
    // No flow waits, so none is owed a turn.
    if (this.isEmpty) this.#debts.clear()
    return served
  }

  /** Charges a flow for work beyond the estimate; a negative number refunds it. */
  charge(flow: string, work: number): void {
    const queue = this.#active.get(flow)
    if (queue !== undefined) queue.deficit -= work
    else if (work > 0) this.#debts.set(flow, (this.#debts.get(flow) ?? 0) - work)
  }

  #findNext(isChosen: (flow: string) => boolean): readonly [flow: string, queue: Flow<Item>] | undefined {
    for (const active of this.#active) if (isChosen(active[0])) return active
    return undefined
  }

  #endTurn(flow: string, queue: Flow<Item>): void {
    this.#active.delete(flow)
    if (queue.next === queue.items.length) {
      if (queue.deficit < 0) this.#debts.set(flow, queue.deficit)
      return
    }
    queue.items.splice(0, queue.next)
    queue.next = 0
    queue.hasQuantum = false
    this.#active.set(flow, queue)
  }
}
