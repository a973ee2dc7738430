import { look } from '../lib/look.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** A large number in few signs: `40M`. */
export function printCompact(value: number): string {
  const { language } = look.get()
  const format = formats.get(language) ?? new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  formats.set(language, format)
  return format.format(value)
}
