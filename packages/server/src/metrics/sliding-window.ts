/** The shape of a window: a number of slots of one length. */
type WindowShape = { readonly slotMs: number; readonly slotCount: number }

/** A sliding window of time slots on a monotonic clock; old slots are dropped. */
export class SlidingWindow<Slot> {
  readonly #shape: WindowShape
  readonly #create: () => Slot
  /** Oldest first; slots without activity are absent. */
  readonly #slots: { readonly number: number; readonly slot: Slot }[] = []

  constructor(shape: WindowShape, create: () => Slot) {
    this.#shape = shape
    this.#create = create
  }

  /** The current slot. */
  current(elapsedMs: number): Slot {
    const number = Math.floor(elapsedMs / this.#shape.slotMs)
    this.#forget(number)
    const last = this.#slots.at(-1)
    if (last?.number === number) return last.slot
    const slot = this.#create()
    this.#slots.push({ number, slot })
    return slot
  }

  /** The slots of the window, oldest first. */
  inView(elapsedMs: number): readonly Slot[] {
    this.#forget(Math.floor(elapsedMs / this.#shape.slotMs))
    return this.#slots.map(({ slot }) => slot)
  }

  #forget(number: number): void {
    const firstInView = number - this.#shape.slotCount + 1
    while (this.#slots[0] !== undefined && this.#slots[0].number < firstInView) this.#slots.shift()
  }
}
