/**
 * Text of logs as it may be shown: control characters, marks that turn the direction of text and invisible ones become signs,
 * so that no value can imitate another (Unicode TR 36). It is shown in text nodes only, so markup needs no escape.
 */
export function toVisibleText(text: string): string {
  // eslint-style escapes keep this file readable: C0 controls but tab and line feed, DEL, C1, bidirectional and zero-width marks.
  return text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g,
    showCharacter,
  )
}

function showCharacter(character: string, at: number, text: string): string {
  // The end of a line as Windows writes it is one, and no sign.
  if (character === '\r' && text[at + 1] === '\n') return ''
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
}

/** A value of an event as text: objects and lists as JSON. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return toVisibleText(value)
  if (value === undefined || value === null) return ''
  return toVisibleText(typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean))
}
