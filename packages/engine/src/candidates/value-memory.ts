import { limits } from '../limits.ts'

/** The rules worth trying, by the text of a value of one field. */
export type FieldMemory = Map<string, readonly number[]>

/**
 * Remembers for many fields which rules their values make worth trying, because real values repeat massively.
 * All fields share one bound (`limits.knownValueBytesMax`, roughly counted); when it is reached, everything is
 * forgotten at once. Long values, which hardly repeat, are not remembered.
 */
export class ValueMemory {
  readonly #fields: FieldMemory[] = []
  #byteCount = 0

  /** The memory of one more field. */
  addField(): FieldMemory {
    const field: FieldMemory = new Map()
    this.#fields.push(field)
    return field
  }

  remember(field: FieldMemory, text: string, rules: readonly number[]): void {
    if (text.length > limits.knownValueLengthMax) return
    // Two bytes a character, eight a rule, and what a map keeps for an entry.
    const byteCount = 2 * text.length + 8 * rules.length + 100
    if (this.#byteCount + byteCount > limits.knownValueBytesMax) this.#forget()
    this.#byteCount += byteCount
    field.set(text, rules)
  }

  #forget(): void {
    for (const field of this.#fields) field.clear()
    this.#byteCount = 0
  }
}
