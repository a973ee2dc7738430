import type { IndicatorFacts } from '@tripline/model/enrichment/indicator'
import { limits } from '../../limits.ts'
import { readTypedValue } from './feed-item.ts'
import type { UnusableReason } from './feed-item.ts'

type PatternReading = Pick<IndicatorFacts, 'type' | 'value'> | { readonly unusable: UnusableReason }

const name = String.raw`(?:[\w-]+|'(?:[^'\\]|\\.)*')`
/** One comparison in brackets: object path, operator, and a text in quotes. Each part begins with what no earlier part ends with. */
const comparison = new RegExp(
  String.raw`^\s*\[\s*([\w-]+)\s*:\s*(${name}(?:\.${name})*)\s*(=|ISSUBSET\s)\s*'((?:[^'\\]|\\['\\])*)'\s*\]\s*$`,
)

const readers: { readonly [path: string]: (text: string) => PatternReading } = {
  'ipv4-addr:value': (text) => readTypedValue('ip', text),
  'ipv6-addr:value': (text) => readTypedValue('ip', text),
  'domain-name:value': (text) => readTypedValue('domain', text),
  'url:value': (text) => readTypedValue('url', text),
  'email-addr:value': (text) => readTypedValue('email', text),
  'email-message:from_ref.value': (text) => readTypedValue('email', text),
  'email-message:sender_ref.value': (text) => readTypedValue('email', text),
  'network-traffic:dst_ref.value': (text) => readTypedValue(undefined, text),
}
const hashPath = /^(?:file|artifact):hashes\.(?:md5|sha-?1|sha-?256|sha-?512)$/i

/**
 * Reads the value that a STIX pattern of one comparison looks for, such as `[ipv4-addr:value = '192.0.2.7']`. Patterns with more
 * conditions are not usable: their parts alone would match too much.
 */
export function readStixPattern(pattern: string): PatternReading {
  const [, object = '', path = '', operator = '', quoted = ''] =
    (pattern.length <= limits.feeds.patternLengthMax ? comparison.exec(pattern) : null) ?? []
  if (object === '') return { unusable: 'the pattern is not a single comparison' }
  const place = `${object}:${path.replaceAll("'", '')}`
  const text = quoted.replaceAll(/\\(['\\])/g, '$1')
  const isNetwork = place === 'ipv4-addr:value' || place === 'ipv6-addr:value'
  if (operator !== '=' && !isNetwork) return { unusable: 'the pattern compares what indicators do not have' }
  if (hashPath.test(place)) return readTypedValue('hash', text)
  const read = Object.hasOwn(readers, place) ? readers[place] : undefined
  return read?.(text) ?? { unusable: 'the pattern compares what indicators do not have' }
}
