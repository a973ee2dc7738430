import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { limits } from '../limits.ts'
import { flatKindFields, normalizeFlatEvent } from '../taxonomy/flat-event-kind.ts'

/** Any text, where only being a text counts. */
const anyText = '?'

/**
 * Finds the kind of flat Windows events from the classes of the few values that tell it, so that an event needs no
 * object to be routed. It asks the taxonomy about an example made of the values.
 */
export class FlatRouter {
  /** By class: the field and the value it stands for. Class 0 is none. */
  readonly #values: { readonly field: number; readonly value: unknown }[] = [{ field: -1, value: undefined }]
  readonly #classes = new Map<string, number>()

  /** Whether events have named more kinds than are remembered: begin again with a new router. */
  get isFull(): boolean {
    return this.#values.length > limits.routesMax
  }

  /** The class of a value of one of `flatKindFields`. */
  classify(field: number, value: unknown): number {
    const { isValueRead } = flatKindFields[field]!
    const example = typeof value === 'object' ? null : isValueRead || typeof value !== 'string' || value === '' ? value : anyText
    const key = `${field} ${JSON.stringify(example)}`
    const known = this.#classes.get(key)
    if (known !== undefined) return known
    this.#classes.set(key, this.#values.length)
    return this.#values.push({ field, value: example }) - 1
  }

  /** The kind of events that meet the first so many of some classes; undefined for those that are no plain flat Windows events. */
  findKind(classes: ArrayLike<number>, count: number): NormalizedEvent | undefined {
    const example: { [name: string]: unknown } = {}
    for (let i = 0; i < count; i++) {
      const { field, value } = this.#values[classes[i]!]!
      example[flatKindFields[field]!.name] = value
    }
    return normalizeFlatEvent(example satisfies EventObject)
  }
}
