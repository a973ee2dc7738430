import { look } from './look.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** A number in the language of the page. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions): string {
  const { language } = look.get()
  const key = `${language} ${JSON.stringify(options)}`
  // Making a format takes ten times what using one does.
  const format = formats.get(key) ?? new Intl.NumberFormat(language, options)
  formats.set(key, format)
  return format.format(value)
}
