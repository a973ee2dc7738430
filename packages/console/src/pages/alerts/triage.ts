import type { AlertBody } from '@tripline/contract/console/alert'
import { t } from '../../i18n/translate.ts'
import { changeAlerts } from './alert-store.ts'
import type { AlertChange } from './alert-store.ts'

/** What an analyst decides with one key or button. */
export type TriageAction = 'investigate' | 'resolve' | 'falsePositive' | 'benign' | 'reopen' | 'assignToMe' | 'unassign'

/** Every decision with its key and what it changes. */
export const triageActions: readonly { readonly action: TriageAction; readonly keys?: string }[] = [
  { action: 'investigate', keys: 'i' },
  { action: 'resolve', keys: 'r' },
  { action: 'falsePositive', keys: 'f' },
  { action: 'benign', keys: 'b' },
  { action: 'assignToMe', keys: 'a' },
  { action: 'unassign' },
  { action: 'reopen' },
]

/** Decides about alerts: at once on screen, then on the server. */
export async function decide(alerts: readonly AlertBody[], action: TriageAction, email: string): Promise<void> {
  if (alerts.length > 0) await changeAlerts(alerts, toChange(action, email), t(`alerts.done.${action}`, { count: alerts.length }))
}

function toChange(action: TriageAction, email: string): AlertChange {
  switch (action) {
    case 'investigate':
      return { status: 'investigating' }
    case 'resolve':
      return { status: 'resolved' }
    case 'falsePositive':
      return { status: 'false_positive' }
    case 'benign':
      return { status: 'resolved', verdict: 'benign' }
    case 'reopen':
      return { status: 'open' }
    case 'assignToMe':
      return { assignee: email }
    case 'unassign':
      return { assignee: null }
  }
}
