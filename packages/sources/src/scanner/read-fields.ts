import { isJsonObject } from '@tripline/common/json'
import { limits } from '../limits.ts'

/** An object of a scanner's answer; nothing in it is certain. */
export type ScannerFields = { readonly [name: string]: unknown }

export function toFields(value: unknown): ScannerFields {
  return isJsonObject(value) ? value : {}
}

/** The objects of a list. */
export function readObjectList(fields: ScannerFields, name: string): readonly ScannerFields[] {
  const value = fields[name]
  return Array.isArray(value) ? value.filter((entry) => isJsonObject(entry)) : []
}

/** A text of the first of these fields that has one; numbers are texts as well. */
export function readTextField(fields: ScannerFields, ...names: readonly string[]): string {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value.slice(0, limits.scanner.textLengthMax)
    if (typeof value === 'number' || typeof value === 'bigint') return `${value}`
  }
  return ''
}

/** A number that is not below 0. */
export function readNumberField(fields: ScannerFields, ...names: readonly string[]): number {
  for (const name of names) {
    const value = fields[name]
    const number = typeof value === 'bigint' || typeof value === 'string' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number) && value !== '') return Math.max(number, 0)
  }
  return 0
}

/** An instant in milliseconds; one that the scanner's clock puts in the future is now. */
export function readInstantField(fields: ScannerFields, now: number, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name]
    const at = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : NaN
    if (Number.isFinite(at) && at > 0) return Math.min(at, now)
  }
  return undefined
}

/** Texts of a list, or of one text with commas. */
export function readTextList(fields: ScannerFields, name: string): readonly string[] {
  const value = fields[name]
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  const kept = texts.filter((text): text is string => typeof text === 'string').map((text) => text.trim().slice(0, 256))
  return [...new Set(kept.filter((text) => text !== ''))].slice(0, 64)
}

const entities: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

/** The text of HTML: without tags, comments, scripts and styles, with its entities as characters. */
export function stripHtml(html: string): string {
  const text = html.slice(0, limits.scanner.textLengthMax * 4)
    .replaceAll(/<!--[\s\S]{0,20000}?-->/g, ' ')
    .replaceAll(/<(script|style)\b[^>]{0,1000}>[\s\S]{0,20000}?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]{0,2000}>/g, ' ')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code >= 32 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff) ? String.fromCodePoint(code) : ' '
    })
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, limits.scanner.textLengthMax)
}
