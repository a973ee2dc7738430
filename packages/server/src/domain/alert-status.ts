import type { AlertStatus } from './alert.ts'

/** What each word of the console for the work on an alert means (section 1.3). */
export const alertStatusWords = {
  open: 'open', investigating: 'in_progress', resolved: 'resolved', false_positive: 'false_positive',
} as const satisfies { readonly [word: string]: AlertStatus }
export type AlertStatusWord = keyof typeof alertStatusWords

const wordByStatus: { readonly [status in AlertStatus]: AlertStatusWord } = {
  open: 'open', in_progress: 'investigating', resolved: 'resolved', false_positive: 'false_positive',
}

/** The word of the console for a status. */
export function toAlertStatusWord(status: AlertStatus): AlertStatusWord {
  return wordByStatus[status]
}
