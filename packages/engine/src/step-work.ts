import { finishSteps } from './finish-steps.ts'

/**
 * Work that is divided into steps, for those who share a thread with others: it yields the work units of each step. A unit
 * is one value of a rule, some microseconds.
 */
export type WorkSteps<Result> = Generator<number, Result>

/** Work units of a step, besides the last item of it: well below a millisecond once the code is compiled. */
export const stepUnitsMax = 128

/** Maps a list in steps; `weigh` tells the work units of an item. */
export function* mapInSteps<Item, Result>(
  items: readonly Item[], map: (item: Item, place: number) => Result, weigh: (item: Item) => number = () => 1,
): WorkSteps<Result[]> {
  const results: Result[] = []
  let units = 0
  for (const [place, item] of items.entries()) {
    results.push(map(item, place))
    units += weigh(item)
    if (units < stepUnitsMax) continue
    yield units
    units = 0
  }
  return results
}

/**
 * A value that is made when it is first needed, at once or in steps. Several callers may take steps: they share them.
 */
export class SteppedValue<Value extends object> {
  readonly #make: () => WorkSteps<Value>
  #steps: WorkSteps<Value> | undefined
  #value: Value | undefined

  constructor(make: () => WorkSteps<Value>) {
    this.#make = make
  }

  /** The value; makes what is missing of it at once. */
  get value(): Value {
    return (this.#value ??= finishSteps(this.#takeSteps()))
  }

  /** Makes the value in steps. */
  * prepare(): WorkSteps<undefined> {
    while (this.#value === undefined) {
      const steps = this.#takeSteps()
      const { done, value } = steps.next()
      if (done === true) this.#value = value
      else {
        this.#steps = steps
        yield value
      }
    }
    return undefined
  }

  /** Steps that throw are not taken again. */
  #takeSteps(): WorkSteps<Value> {
    const steps = this.#steps ?? this.#make()
    this.#steps = undefined
    return steps
  }
}
