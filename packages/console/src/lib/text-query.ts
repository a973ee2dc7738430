const word = /^[\w.-]+$/
const operator = /^(?:and|or|not|to)$/i

/** A text as a query of the search language: a word, or in quotes where it has more than one or signs. */
export function printTextQuery(text: string): string {
  const trimmed = text.trim()
  return word.test(trimmed) && !operator.test(trimmed) ? trimmed : quote(trimmed)
}

/** The query that finds events which have a field. */
export function printFieldQuery(field: string): string {
  return `${printName(field)}:*`
}

/** The query that finds events with a value in a field. A text is in quotes, so that it is no number and no pattern. */
export function printValueQuery(field: string, value: string | number | boolean): string {
  return `${printName(field)}:${typeof value === 'string' ? quote(value) : String(value)}`
}

function printName(field: string): string {
  return word.test(field) && !operator.test(field) ? field : quote(field)
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
