import { foldCase } from './fold-case.ts'
import { toTexts } from './value.ts'
import type { FieldText, FieldValue } from './value.ts'

/** What a field holds, with its texts made when they are first asked for. */
export class ValueView {
  readonly value: FieldValue
  #text: FieldText | undefined
  #folded: FieldText | undefined

  constructor(value: FieldValue) {
    this.value = value
  }

  /** The value as text, as it stands. */
  get text(): FieldText {
    return (this.#text ??= toTexts(this.value))
  }

  /** The value as text, case folded. */
  get folded(): FieldText {
    return (this.#folded ??= foldText(this.text))
  }
}

/** Folds the case of a text or of several. */
export function foldText(text: FieldText): FieldText {
  if (text === null) return null
  return typeof text === 'string' ? foldCase(text) : text.map(foldCase)
}
