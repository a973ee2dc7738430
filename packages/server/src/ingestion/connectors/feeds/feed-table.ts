import type { IndicatorType } from '@tripline/model/enrichment/indicator'
import { limits } from '../../limits.ts'
import type { FeedTable } from './feed-target.ts'

/** Names of columns with values, in the order in which they are preferred, and the type of what they hold. */
const valueColumns = new Map<string, IndicatorType | undefined>([
  ['value', undefined], ['indicator', undefined], ['ioc', undefined], ['ioc_value', undefined], ['observable', undefined],
  ['sha256', 'hash'], ['sha256_hash', 'hash'], ['sha1', 'hash'], ['sha1_hash', 'hash'],
  ['md5', 'hash'], ['md5_hash', 'hash'], ['hash', 'hash'],
  ['url', 'url'], ['dst_ip', 'ip'], ['ip', 'ip'], ['ip_address', 'ip'], ['ipv4', 'ip'], ['ipv6', 'ip'], ['src_ip', 'ip'],
  ['cidr', 'cidr'], ['network', 'cidr'], ['domain', 'domain'], ['domain_name', 'domain'], ['hostname', 'domain'], ['fqdn', 'domain'],
  ['host', undefined], ['email', 'email'],
])

const otherColumns = {
  type: ['type', 'ioc_type', 'indicator_type'],
  confidence: ['confidence', 'confidence_level'],
  validUntil: ['valid_until', 'expires', 'expiration'],
  description: ['description', 'malware_printable', 'malware', 'threat', 'tags', 'comment'],
} as const

/** The types of indicators, as feeds call them. */
export const knownTypes = new Map<string, IndicatorType>([
  ...['ip', 'ip:port', 'ipv4', 'ipv6', 'ipv4-addr', 'ipv6-addr', 'ip-dst', 'ip-src', 'ip_address'].map((name) => [name, 'ip'] as const),
  ...['cidr', 'network', 'netblock', 'subnet'].map((name) => [name, 'cidr'] as const),
  ...['domain', 'hostname', 'fqdn', 'domain-name'].map((name) => [name, 'domain'] as const),
  ...['url', 'uri'].map((name) => [name, 'url'] as const),
  ...['email', 'email-addr', 'email-src'].map((name) => [name, 'email'] as const),
  ...['hash', 'md5', 'sha1', 'sha256', 'sha512', 'md5_hash', 'sha1_hash', 'sha256_hash', 'filehash-md5', 'filehash-sha1', 'filehash-sha256']
    .map((name) => [name, 'hash'] as const),
])

type Columns = { readonly [name in keyof typeof otherColumns]: number | undefined } & {
  readonly value: number
  readonly valueType: IndicatorType | undefined
  /** Whether the first row names the columns. */
  readonly isHeader: boolean
}

/** Finds the columns of a feed by the names in its first row or in the comment before it; without names by number. */
export function findColumns(
  { row, comment, delimiter }: { readonly row: readonly string[]; readonly comment: string; readonly delimiter: string },
  { valueColumn }: FeedTable,
): Columns {
  const known = (names: readonly string[]): boolean => names.some((name) => valueColumns.has(name) || name === valueColumn)
  const first = row.map(toName)
  const commented = delimiter === '' ? [toName(comment)] : comment.split(delimiter).map(toName)
  const isHeader = known(first)
  const names = isHeader ? first : known(commented) && commented.length === row.length ? commented : []
  const indexOf = (wanted: readonly string[]): number | undefined =>
    wanted.map((name) => names.indexOf(name)).find((index) => index >= 0)
  const others = {
    type: indexOf(otherColumns.type), confidence: indexOf(otherColumns.confidence), validUntil: indexOf(otherColumns.validUntil),
    description: indexOf(otherColumns.description),
  }
  const value = valueColumn === undefined ? indexOf([...valueColumns.keys()]) : indexOf([valueColumn])
  const numbered = /^\d{1,2}$/.test(valueColumn ?? '') ? Math.max(0, Number(valueColumn) - 1) : 0
  const index = value ?? numbered
  return { ...others, value: index, valueType: others.type === undefined ? valueColumns.get(names[index] ?? '') : undefined, isHeader }
}

function toName(cell: string): string {
  return cell.trim().replaceAll(/^"|"$/g, '').trim().toLowerCase()
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Finds where the rows begin, and the last line of the comments before them, without its mark. */
export function splitHead(bytes: Buffer): { readonly start: number; readonly comment: string } {
  let start = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  let comment = ''
  for (;;) {
    const end = bytes.indexOf(0x0a, start)
    const line = bytes.subarray(start, end < 0 ? bytes.length : end).toString('utf8', 0, limits.imports.rowBytesMax).trim()
    const [mark] = /^(?:#|;|\/\/)+/.exec(line) ?? []
    if (start >= bytes.length || end < 0 || (mark === undefined && line !== '')) return { start, comment }
    if (mark !== undefined && line.length > mark.length) comment = line.slice(mark.length).trim()
    start = end + 1
  }
}

/** Finds what separates fields: what stands equally often in each of the first rows. A list of values has none. */
export function findDelimiter(bytes: Buffer, start: number): string {
  const text = bytes.subarray(start, start + limits.feeds.lookedAtBytesMax).toString('utf8')
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '' && !/^\s*(?:#|;|\/\/)/.test(line))
  // The last line may be cut.
  const isCut = lines.length > 1 && start + limits.feeds.lookedAtBytesMax < bytes.length
  const rows = lines.slice(0, isCut ? -1 : undefined).slice(0, limits.feeds.lookedAtRows)
  const countIn = (row: string, delimiter: string): number => row.replaceAll(/"[^"]*"/g, '').split(delimiter).length - 1
  const found = [',', ';', '\t'].map((delimiter) => {
    const [first = 0, ...others] = rows.map((row) => countIn(row, delimiter))
    return { delimiter, count: others.every((count) => count === first) ? first : 0 }
  }).toSorted((one, other) => other.count - one.count)
  const [best] = found
  return best === undefined || best.count === 0 ? '' : best.delimiter
}
