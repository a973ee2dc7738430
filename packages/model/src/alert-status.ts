import type { AlertStatus } from './alert.ts'

/** The status for each name that the console API uses. */
export const alertStatusWords = {
  open: 'open', investigating: 'in_progress', resolved: 'resolved', false_positive: 'false_positive',
} as const satisfies { readonly [word: string]: AlertStatus }
export type AlertStatusWord = keyof typeof alertStatusWords

const wordByStatus: { readonly [status in AlertStatus]: AlertStatusWord } = {
  open: 'open', in_progress: 'investigating', resolved: 'resolved', false_positive: 'false_positive',
}

/** The console API's name of a status. */
export function toAlertStatusWord(status: AlertStatus): AlertStatusWord {
  return wordByStatus[status]
}
