/** One part of a pattern: literal text, any run (`*`, also empty), any one character (`?`), or one of some characters. */
export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }
  | { readonly kind: 'oneOf'; readonly characters: string }

/** Text with wildcards, matched against a whole value. */
export type Pattern = readonly PatternPart[]

export const anyRun: PatternPart = { kind: 'any' }
export const anyOne: PatternPart = { kind: 'one' }

export function literal(text: string): PatternPart {
  return { kind: 'text', text }
}

/**
 * Parses a text with Sigma's wildcards and escapes: `\` before `*`, `?` or `\` makes that
 * character literal, any other `\` stands for itself, a bare `*` or `?` is a wildcard. Never fails.
 */
export function parsePattern(text: string): Pattern {
  // Most texts are one literal, which is then the text itself.
  if (!/[*?]|\\\\/.test(text)) return text === '' ? [] : [literal(text)]
  const parts: PatternPart[] = []
  let start = 0
  const closeLiteral = (end: number) => {
    // Slices and replacements, not concatenation: V8 would keep a cons string for each step.
    if (end > start) parts.push(literal(text.slice(start, end).replaceAll(/\\([*?\\])/g, '$1')))
  }
  for (const { 0: found, index } of text.matchAll(/\\[*?\\]|[*?]/g)) {
    const isEscape = found.length === 2
    if (isEscape) continue
    closeLiteral(index)
    parts.push(found === '*' ? anyRun : anyOne)
    start = index + 1
  }
  closeLiteral(text.length)
  return parts
}

/** The text that `parsePattern` reads as this pattern; `readChoice` is printed as `[characters]`, for people only. */
export function printPattern(pattern: Pattern): string {
  return pattern.map((part, i) => printPart(part, pattern[i + 1])).join('')
}

function printPart(part: PatternPart, next: PatternPart | undefined): string {
  switch (part.kind) {
    case 'any':
      return '*'
    case 'one':
      return '?'
    case 'oneOf':
      return `[${part.characters}]`
    case 'text': {
      const isBeforeWildcard = next !== undefined && (next.kind === 'any' || next.kind === 'one')
      // A backslash needs another one only where it would otherwise escape what follows it.
      return part.text.replaceAll(/[*?]|\\(?=[*?\\])|\\$/g, (found, at: number) =>
        found === '\\' && at === part.text.length - 1 && !isBeforeWildcard ? found : `\\${found}`,
      )
    }
  }
}

/** Normalizes a pattern: joins adjacent texts, drops empty ones and collapses `**` to `*`. */
export function normalizePattern(pattern: Pattern): Pattern {
  const parts: PatternPart[] = []
  for (const part of pattern) {
    const last = parts.at(-1)
    if (part.kind === 'text') {
      if (part.text === '') continue
      if (last?.kind === 'text') parts[parts.length - 1] = literal(last.text + part.text)
      else parts.push(part)
    } else if (part.kind !== 'any' || last?.kind !== 'any') parts.push(part)
  }
  return parts
}
