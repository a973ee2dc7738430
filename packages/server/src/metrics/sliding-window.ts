/** How a window is cut: into so many slots of one length. */
export type WindowShape = { readonly slotMs: number; readonly slotCount: number }

/** What was seen lately, in slots of time; those that are too old are let go. Its clock never goes back. */
export class SlidingWindow<Slot> {
  readonly #shape: WindowShape
  readonly #create: () => Slot
  /** Oldest first; slots in which nothing happened are absent. */
  readonly #slots: { readonly number: number; readonly slot: Slot }[] = []

  constructor(shape: WindowShape, create: () => Slot) {
    this.#shape = shape
    this.#create = create
  }

  /** The slot of now. */
  current(elapsedMs: number): Slot {
    const number = Math.floor(elapsedMs / this.#shape.slotMs)
    this.#forget(number)
    const last = this.#slots.at(-1)
    if (last?.number === number) return last.slot
    const slot = this.#create()
    this.#slots.push({ number, slot })
    return slot
  }

  /** The slots in view, oldest first: that of now and as many before it as the window has. */
  inView(elapsedMs: number): readonly Slot[] {
    this.#forget(Math.floor(elapsedMs / this.#shape.slotMs))
    return this.#slots.map(({ slot }) => slot)
  }

  #forget(number: number): void {
    const firstInView = number - this.#shape.slotCount + 1
    while (this.#slots[0] !== undefined && this.#slots[0].number < firstInView) this.#slots.shift()
  }
}
