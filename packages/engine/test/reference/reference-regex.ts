/** Regular expressions of the reference evaluator: JavaScript's own, after rewriting the syntax that differs. */

/** Compiles a pattern; `flags` may contain `i`, `m` and `s`. Throws when the pattern is not valid. */
export function parseRegex(pattern: string, flags: ReadonlySet<string>): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(pattern)
  const allFlags = new Set([...flags, ...(inline?.[1] ?? '')])
  const source = translate(pattern.slice(inline?.[0].length ?? 0), allFlags)
  return new RegExp(source, allFlags.has('i') ? 'iu' : 'u')
}

/** Rewrites `.`, `$` and `^` so that only a line feed ends a line, and `\w` and `\s` so that they are ASCII only. */
function translate(pattern: string, flags: ReadonlySet<string>): string {
  const outside: Record<string, string> = {
    '.': flags.has('s') ? '[^]' : '[^\\n]',
    '^': flags.has('m') ? '(?<=^|\\n)' : '^',
    '$': flags.has('m') ? '(?=$|\\n)' : '(?=\\n?$)',
  }
  const classes: Readonly<Record<string, string>> = { '\\w': 'A-Za-z0-9_', '\\s': '\\t\\n\\v\\f\\r ', '\\d': '0-9' }
  for (const [name, members] of Object.entries(classes)) {
    outside[name] = `[${members}]`
    outside[name.toUpperCase()] = `[^${members}]`
  }
  let isInClass = false
  let source = ''
  for (const [token] of pattern.matchAll(/\\[^]|\{\d+(?:,\d*)?\}|[^]/gu)) {
    if (isInClass) {
      if (token === ']') isInClass = false
      source += classes[token] ?? (token === '[' ? '\\[' : withoutIdleBackslash(token, true))
    } else {
      if (token === '[') isInClass = true
      const isLonely = token === '{' || token === '}' || token === ']'
      source += outside[token] ?? (isLonely ? `\\${token}` : withoutIdleBackslash(token, false))
    }
  }
  return source
}

/** Removes redundant escapes, which the flag `u` does not allow. */
function withoutIdleBackslash(token: string, isInClass: boolean): string {
  const isIdle = /^\\[^A-Za-z0-9^$\\.*+?()[\]{}|/]/u.test(token) && !(isInClass && token === '\\-')
  return isIdle ? token.slice(1) : token
}
