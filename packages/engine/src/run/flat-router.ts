import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { limits } from '../limits.ts'
import { flatKindFields, flatKindOf } from '../taxonomy/flat-kind.ts'
import { PairTable } from './pair-table.ts'

/** Any text, where only being a text counts. */
const someText = '?'

/**
 * Finds the kind of flat Windows events from the classes of the few values that tell it, one step for each,
 * so that an event needs no object to be routed. It asks the taxonomy about an example made of the values.
 */
export class FlatRouter {
  /** By class: the field and the value it stands for. Class 0 is none. */
  readonly #values: { readonly field: number; readonly value: unknown }[] = [{ field: -1, value: undefined }]
  readonly #classes = new Map<string, number>()
  /** By state: the state before it, and the class that led here. */
  readonly #parents: number[] = [-1]
  readonly #classOfState: number[] = [0]
  readonly #steps = new PairTable()

  /** Where every walk begins. */
  readonly root = 0

  /** Whether events have named more kinds than are remembered: begin again with a new router. */
  get isFull(): boolean {
    return this.#parents.length > limits.routesMax || this.#values.length > limits.routesMax
  }

  /** The class of a value of one of `flatKindFields`. */
  classOf(field: number, value: unknown): number {
    const { isValueRead } = flatKindFields[field]!
    const example = typeof value === 'object' ? null : isValueRead || typeof value !== 'string' || value === '' ? value : someText
    const key = `${field} ${JSON.stringify(example)}`
    const known = this.#classes.get(key)
    if (known !== undefined) return known
    this.#classes.set(key, this.#values.length)
    return this.#values.push({ field, value: example }) - 1
  }

  learnStep(state: number, valueClass: number): number {
    const known = this.#steps.get(state, valueClass)
    if (known !== -1) return known
    this.#classOfState.push(valueClass)
    const next = this.#parents.push(state) - 1
    this.#steps.set(state, valueClass, next)
    return next
  }

  /** The kind of the events whose walk ends here; undefined for those that are no plain flat Windows events. */
  kindOf(state: number): NormalizedEvent | undefined {
    const example: { [name: string]: unknown } = {}
    for (let at = state; at !== this.root; at = this.#parents[at]!) {
      const { field, value } = this.#values[this.#classOfState[at]!]!
      example[flatKindFields[field]!.name] = value
    }
    return flatKindOf(example satisfies EventObject)
  }
}
