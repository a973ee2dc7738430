/** One part of a pattern: literal text, any run (`*`, also empty), any one character (`?`), or one of some characters. */
export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'one' }
  | { readonly kind: 'oneOf'; readonly characters: string }

/** Text with wildcards, compared with a whole value. */
export type Pattern = readonly PatternPart[]

export const anyRun: PatternPart = { kind: 'any' }
export const anyOne: PatternPart = { kind: 'one' }

export function literal(text: string): PatternPart {
  return { kind: 'text', text }
}

/**
 * Reads a text with wildcards and escapes (sigma.md section 5): `\` before `*`, `?` or `\` makes that
 * character literal, any other `\` stands for itself, a bare `*` or `?` is a wildcard. Never fails.
 */
export function parsePattern(text: string): Pattern {
  const parts: PatternPart[] = []
  let run = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    const next = text[i + 1]
    if (character === '\\' && (next === '*' || next === '?' || next === '\\')) {
      run += next
      i++
    } else if (character === '*' || character === '?') {
      if (run !== '') parts.push(literal(run))
      run = ''
      parts.push(character === '*' ? anyRun : anyOne)
    } else run += character
  }
  if (run !== '') parts.push(literal(run))
  return parts
}

/** The text that `parsePattern` reads as this pattern; `oneOf` is printed as `[characters]`, for people only. */
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

/** The pattern in its shortest form: neighbouring texts joined, empty texts dropped, `**` made one `*`. */
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
