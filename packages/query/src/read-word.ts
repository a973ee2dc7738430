import { anyOne, anyRun, literal, normalizePattern, parseCidr } from '@tripline/engine/predicate'
import type { Pattern, PatternPart } from '@tripline/engine/predicate'

/** What a backslash takes the meaning from. Before anything else it is a backslash, so that paths are written as they are. */
const escapable = /[\s()":\\*?<>[\]{}]/

/** Reads a word with its escapes and wildcards. */
export function readWord(word: string): Pattern {
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

/** Reads what stands between quotes: only `\"` and `\\` are escapes, and there are no wildcards. */
export function readQuoted(text: string): string {
  return text.replaceAll(/\\(["\\])/g, '$1')
}

/** The text of a pattern without wildcards; undefined where it has some. */
export function getLiteralText(pattern: Pattern): string | undefined {
  const [only, ...others] = pattern
  if (only === undefined) return ''
  return others.length === 0 && only.kind === 'text' ? only.text : undefined
}

/** What a word means as the value of a field. */
export type WordKind = 'exists' | 'null' | 'number' | 'network' | 'misprinted network' | 'text'

/** Tells numbers, networks and the like from text; what is quoted is always text. */
export function classifyWord(word: string): WordKind {
  if (word === '*') return 'exists'
  if (word === 'null') return 'null'
  return isNumber(word) ? 'number' : classifyNetwork(word)
}

/** A finite number as JSON writes it: `007` and `0x1f` are text. */
export function isNumber(word: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word) && Number.isFinite(Number(word))
}

/** An address and a length of its prefix are meant as a network, also where the network's bits are wrong. */
function classifyNetwork(word: string): WordKind {
  const [address = '', prefixLength = '', ...others] = word.split('/')
  if (others.length > 0 || !/^\d{1,3}$/.test(prefixLength) || 'problem' in parseCidr(address)) return 'text'
  return 'problem' in parseCidr(word) ? 'misprinted network' : 'network'
}
