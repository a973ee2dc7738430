import type { AlertBody } from '@tripline/contract/console/alert'
import { t } from '../../i18n/translate.ts'
import { changeAlerts } from './alert-store.ts'
import type { AlertChange } from './alert-store.ts'
import { changeMany } from './bulk.ts'
import type { BulkTarget } from './bulk.ts'

/** What an analyst decides with one key or button. */
export type TriageAction = 'investigate' | 'resolve' | 'falsePositive' | 'benign' | 'reopen' | 'assignToMe' | 'unassign'

/** Every decision, with its key. */
export const triageActions: readonly { readonly action: TriageAction; readonly keys?: string }[] = [
  { action: 'investigate', keys: 'i' },
  { action: 'resolve', keys: 'r' },
  { action: 'falsePositive', keys: 'f' },
  { action: 'benign', keys: 'b' },
  { action: 'assignToMe', keys: 'a' },
  { action: 'unassign' },
  { action: 'reopen' },
]

/** Decides about alerts that are loaded: at once on screen, then on the server. */
export async function decide(alerts: readonly AlertBody[], action: TriageAction, email: string): Promise<void> {
  if (alerts.length === 1) await changeAlerts(alerts, toChange(action, email), t(`alerts.done.${action}`, { count: 1 }))
  else if (alerts.length > 1) await decideMany(alerts, { ids: alerts.map(({ id }) => id) }, action, email)
}

/** Decides about many alerts in one request; `loaded` are those of them that are on screen. */
export async function decideMany(loaded: readonly AlertBody[], target: BulkTarget, action: TriageAction, email: string): Promise<void> {
  const count = 'ids' in target ? target.ids.length : target.expect_total
  await changeMany(loaded, target, toChange(action, email), t(`alerts.done.${action}`, { count }))
}

/** What a decision changes. */
export function toChange(action: TriageAction, email: string): AlertChange {
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
