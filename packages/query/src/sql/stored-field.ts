import { foldCase, parseInstant, parseNumber, toTexts } from '@tripline/engine/predicate'
import type { FieldValue, Scalar } from '@tripline/engine/predicate'

/** The stored forms of one field of an event, with which SQL compares as predicates do. */
export type StoredField = {
  /** Folded, in the form of `toStoredText`. */
  readonly texts: readonly string[]
  /** The numbers of the values, including texts such as `'4688'`. */
  readonly numbers: readonly number[]
  /** The timestamps of the values, in milliseconds since 1970. */
  readonly instants: readonly number[]
  readonly isPresent: boolean
  /** Whether the field is absent, or null, or a list with a null in it. */
  readonly isNull: boolean
}

/** Converts a value to its stored forms; a column that is no list stores the only value, or NULL. */
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
 * Converts a text to its stored form: case folded as predicates fold it, which no database does, and with U+FFFD in place
 * of NUL and lone surrogates, at which databases truncate or reject texts.
 */
export function toStoredText(text: string): string {
  return foldCase(text).toWellFormed().replaceAll('\0', '\ufffd')
}

function listScalars(value: FieldValue): readonly Scalar[] {
  if (value === undefined) return []
  return typeof value === 'object' && value !== null ? value : [value]
}
