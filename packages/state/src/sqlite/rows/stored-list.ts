/** Parses a column with a JSON list of texts. @throws Error for anything else. */
export function parseTextList(column: string): string[] {
  const parsed: unknown = JSON.parse(column)
  if (!Array.isArray(parsed)) throw new Error('a list column does not hold a JSON list')
  return parsed.map(String)
}
