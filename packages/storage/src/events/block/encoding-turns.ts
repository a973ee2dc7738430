/** Units of work, about 60 ns each: a character whose q-grams are collected is one. */
export const encodingUnits = {
  /** A value that is searched for q-grams, besides its characters, and one that is only looked at. */
  value: 8,
  token: 2,
  /** A code that is copied. */
  code: 0.5,
  /** A byte that is written or summed up. */
  byte: 0.05,
} as const

/** Units of work in a turn: a millisecond or less. An event yields several times on its way to an alert. */
export const unitsPerTurn = 16_384

/** Divides the encoding of a block into turns by the work that is done, so that no turn depends on how fast a machine is. */
export class EncodingTurns {
  readonly #takeTurn: (doneUnits: number) => Promise<unknown>
  #units = 0

  /** `takeTurn` gets the units of work since the turn before. */
  constructor(takeTurn: (doneUnits: number) => Promise<unknown>) {
    this.#takeTurn = takeTurn
  }

  /** Waits for the first turn. */
  async begin(): Promise<void> {
    await this.#takeTurn(0)
  }

  /** Adds the work that follows; waits for a turn first where it does not fit into this one. */
  async add(units: number): Promise<void> {
    if (this.#units > 0 && this.#units + units > unitsPerTurn) {
      const done = this.#units
      this.#units = 0
      await this.#takeTurn(done)
    }
    this.#units += units
  }
}
