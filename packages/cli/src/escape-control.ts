// Control characters can steer a terminal; bidirectional ones make text read differently from what it is.
const unsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const unsafeExceptLayout = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Makes text of a rule or an event safe to show within one line of a terminal. */
export function printable(text: string): string {
  return text.replace(unsafe, escaped)
}

/** The same for text of several lines; line feeds and tabs stay. */
export function printableLines(text: string): string {
  return text.replace(unsafeExceptLayout, escaped)
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
