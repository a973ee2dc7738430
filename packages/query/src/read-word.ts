import { anyOne, anyRun, literal, normalizePattern, parseCidr } from '@tripline/engine/predicate'
import type { Pattern, PatternPart } from '@tripline/engine/predicate'

/** Characters that a backslash escapes. Before others it is a plain backslash, so paths need no escapes. */
const escapable = /[\s()":\\*?<>[\]{}/]/

/** Parses the escapes and wildcards of a word. */
export function parseWordPattern(word: string): Pattern {
  const parts: PatternPart[] = []
  for (let at = 0; at < word.length; at++) {
    const character = word[at]!
    const next = word[at + 1]
    if (character === '\\' && next !== undefined && escapable.test(next)) {
      parts.push(literal(next))
      at++
    } else parts.push(character === '*' ? anyRun : character === '?' ? anyOne : literal(character))
  }
  return normalizePattern(parts)
}

/** Parses the content of quotes: only `\"` and `\\` are escapes, and there are no wildcards. */
export function readQuoted(text: string): string {
  return text.replaceAll(/\\(["\\])/g, '$1')
}

/** The text of a pattern; undefined if it has wildcards. */
export function getLiteralText(pattern: Pattern): string | undefined {
  const [only, ...others] = pattern
  if (only === undefined) return ''
  return others.length === 0 && only.kind === 'text' ? only.text : undefined
}

/** Parses a regular expression between slashes, `/source/` or `/source/i`; in it, `\/` is a slash. */
export function readRegex(written: string): { readonly source: string; readonly ignoresCase: boolean } {
  const end = written.lastIndexOf('/')
  const source = written.slice(1, end).replaceAll(/\\(?:\/|[^])/g, (escape) => (escape === String.raw`\/` ? '/' : escape))
  return { source, ignoresCase: end < written.length - 1 }
}

/** The type of an unquoted word as a value. */
type WordKind = 'exists' | 'null' | 'number' | 'network' | 'misprinted network' | 'text'

/** Classifies an unquoted word; quoted ones are always text. */
export function classifyWord(word: string): WordKind {
  if (word === '*') return 'exists'
  if (word === 'null') return 'null'
  return isNumberWord(word) ? 'number' : classifyNetwork(word)
}

/** A finite number as JSON writes it: `007` and `0x1f` are text. */
export function isNumberWord(word: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word) && Number.isFinite(Number(word))
}

/** An address with a prefix length counts as a network, even if its host bits are set, which is an error. */
function classifyNetwork(word: string): WordKind {
  const [address = '', prefixLength = '', ...others] = word.split('/')
  if (others.length > 0 || !/^\d{1,3}$/.test(prefixLength) || 'problem' in parseCidr(address)) return 'text'
  return 'problem' in parseCidr(word) ? 'misprinted network' : 'network'
}
