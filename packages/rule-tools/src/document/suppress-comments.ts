/** A code that a comment suppresses, and the line. */
type IgnoredCode = { readonly code: string; readonly line: number; readonly offset: number }

/**
 * Finds the comments `# tripline-lint: ignore CODE, CODE` of a text. A comment applies to its own line and,
 * when it is alone on that line, to the next one. Lines count from 1.
 */
export function readIgnoredCodes(text: string): readonly IgnoredCode[] {
  if (!text.includes('tripline-lint:')) return []
  const ignored: IgnoredCode[] = []
  let start = 0
  for (const [index, content] of text.split('\n').entries()) {
    const found = /#[ \t]*tripline-lint:[ \t]*ignore[ \t]+([A-Z\d_, \t]{1,2000})/.exec(content)
    if (found !== null) {
      const codesAt = start + found.index + found[0].length - found[1]!.length
      const isAlone = content.trimStart().startsWith('#')
      for (const { 0: code, index: at } of found[1]!.matchAll(/[A-Z\d_]+/g)) {
        ignored.push({ code, line: index + 1, offset: codesAt + at })
        if (isAlone) ignored.push({ code, line: index + 2, offset: codesAt + at })
      }
    }
    start += content.length + 1
  }
  return ignored
}
