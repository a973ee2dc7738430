/** Texts that YAML allows between single quotes. */
const printable = /^[\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u

/**
 * Prints a text as a quoted YAML scalar: in single quotes, where a backslash needs no escape, or in double quotes if it
 * contains characters that single quotes do not allow.
 */
export function printYamlText(text: string): string {
  if (printable.test(text)) return `'${text.replaceAll("'", "''")}'`
  const unitText = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, unitText)
}
