import { t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { printWord } from './print-action.ts'

/** What an entry of the trail says beside who and what, as names with values. */
export function printDetails(diff: object): string {
  return Object.entries(diff)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([name, value]) => `${printWord('detail', name).replaceAll('_', ' ')}: ${printValues(name, value).join(' → ')}`)
    .join(' · ')
}

/** What was before and what is since, or the one value. */
function printValues(name: string, value: unknown): readonly string[] {
  return (Array.isArray(value) && value.length === 2 ? value : [value]).map((one: unknown) => printDetail(name, one))
}

function printDetail(name: string, value: unknown): string {
  if (value === null) return '–'
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.length === 0 ? '–' : value.join(', ')
  // The trail has times as the store has them.
  if (typeof value === 'number' && name.endsWith('_at')) return printTime(value)
  if (typeof value === 'boolean') return t(value ? 'audit.detail.yes' : 'audit.detail.no')
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? printTime(value) : value
}
