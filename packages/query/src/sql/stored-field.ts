import { foldCase, parseInstant, parseNumber, toTexts } from '@tripline/engine/predicate'
import type { FieldValue, Scalar } from '@tripline/engine/predicate'

/** What a table keeps of one field of an event, so that SQL compares as predicates do. */
export type StoredField = {
  /** Folded, in the form of `toStoredText`. */
  readonly texts: readonly string[]
  /** The numbers that values state, also those of texts such as `'4688'`. */
  readonly numbers: readonly number[]
  /** The instants that values state, in milliseconds since 1970. */
  readonly instants: readonly number[]
  readonly isPresent: boolean
  /** Whether the field is absent, or null, or a list with a null in it. */
  readonly isNull: boolean
}

/** What to store of a field; a column that is no list holds the only value, or NULL. */
export function toStoredField(value: FieldValue): StoredField {
  const texts = toTexts(value)
  const scalars = listScalars(value)
  return {
    texts: (texts === null ? [] : typeof texts === 'string' ? [texts] : texts).map(toStoredText),
    numbers: scalars.map(parseNumber).filter((number) => !Number.isNaN(number)),
    instants: scalars.map(parseInstant).filter((instant) => instant !== undefined),
    isPresent: value !== undefined,
    isNull: value === undefined || scalars.includes(null),
  }
}

/**
 * A text as tables keep it: case folded as predicates fold it, which no database does, and without the units
 * that databases cut texts at or refuse: NUL and halves of surrogate pairs become U+FFFD.
 */
export function toStoredText(text: string): string {
  return foldCase(text).toWellFormed().replaceAll('\0', '\ufffd')
}

function listScalars(value: FieldValue): readonly Scalar[] {
  if (value === undefined) return []
  return typeof value === 'object' && value !== null ? value : [value]
}
