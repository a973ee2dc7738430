import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { limits } from '../limits.ts'
import { flatKindFields, normalizeFlatEvent } from '../taxonomy/flat-event-kind.ts'

/** Stands for every text where only the type matters. */
const anyText = '?'

/**
 * Finds the kind of flat Windows events from the classes of the few values that decide it, so routing needs no parsed
 * event. It gives the taxonomy an example event made of these values.
 */
export class FlatRouter {
  /** By class: the field and the value that it stands for. Class 0 is unused. */
  readonly #values: { readonly field: number; readonly value: unknown }[] = [{ field: -1, value: undefined }]
  readonly #classes = new Map<string, number>()

  /** Whether the limit of classes is reached: replace this router by a new one. */
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

  /** The kind of events with the first `count` of these classes; undefined if they are not plain flat Windows events. */
  findKind(classes: ArrayLike<number>, count: number): NormalizedEvent | undefined {
    const example: { [name: string]: unknown } = {}
    for (let i = 0; i < count; i++) {
      const { field, value } = this.#values[classes[i]!]!
      example[flatKindFields[field]!.name] = value
    }
    return normalizeFlatEvent(example satisfies EventObject)
  }
}
