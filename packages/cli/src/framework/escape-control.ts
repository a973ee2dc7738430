// Control characters can control a terminal; bidirectional ones change the order in which text is displayed.
const unsafeCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const unsafeExceptLineFeedAndTab = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Escapes control characters in text of a rule or an event, for one line of a terminal. */
export function escapeControl(text: string): string {
  return text.replace(unsafeCharacters, escapeCharacter)
}

/** The same for text of several lines; line feeds and tabs stay. */
export function escapeControlInLines(text: string): string {
  return text.replace(unsafeExceptLineFeedAndTab, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
