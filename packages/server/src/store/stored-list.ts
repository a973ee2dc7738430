/** Reads a column that holds a list of texts as JSON. @throws Error for anything else. */
export function parseTextList(column: string): string[] {
  const parsed: unknown = JSON.parse(column)
  if (!Array.isArray(parsed)) throw new Error('a column that holds a list holds something else')
  return parsed.map(String)
}
