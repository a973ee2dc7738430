import { foldCase } from './fold-case.ts'
import { toTexts } from './value.ts'
import type { FieldText, FieldValue } from './value.ts'

/** A field value with lazily computed texts. */
export class ValueView {
  readonly value: FieldValue
  #text: FieldText | undefined
  #folded: FieldText | undefined

  constructor(value: FieldValue) {
    this.value = value
  }

  /** The value as text. */
  get text(): FieldText {
    return (this.#text ??= toTexts(this.value))
  }

  /** The value as case-folded text. */
  get folded(): FieldText {
    return (this.#folded ??= foldText(this.text))
  }
}

/** Folds the case of one text or of a list. */
export function foldText(text: FieldText): FieldText {
  if (text === null) return null
  return typeof text === 'string' ? foldCase(text) : text.map(foldCase)
}
