import { AppError } from '@tripline/contract/app-error'

/** Normalizes a value. @throws AppError INVALID_BODY for an invalid one. */
export function normalizeValue(field: string, text: string, normalize: (text: string) => string | undefined, what: string): string {
  const value = normalize(text.trim())
  if (value === undefined) throw invalidBody(`${field}: '${text.slice(0, 64)}' is not ${what}`)
  return value
}

/** Normalizes a list and removes duplicates. */
export function normalizeValues(
  field: string,
  texts: readonly string[],
  normalize: (text: string) => string | undefined,
  what: string,
): string[] {
  return removeDuplicates(texts.map((text) => normalizeValue(field, text, normalize, what)))
}

export function removeDuplicates(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

export function invalidBody(message: string): AppError {
  return new AppError('INVALID_BODY', message)
}
