/** The parts of a text between commas, without the empty ones. */
export function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim()).filter((part) => part !== '')
}
