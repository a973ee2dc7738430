import type { AlertBody } from '@tripline/contract/console/alert'
import { addTexts, t } from '../../i18n/translate.ts'
import { runPart } from '../../ui/loading/lazy-part.tsx'
import { changeAlerts, changedAlerts, toShown } from './alert-store.ts'
import type { AlertChange } from './alert-store.ts'
import type { BulkTarget } from './bulk.ts'

/** What changes many is no part of the first page. */
const loadChangeMany = async () => {
  const [{ changeMany }, { enAlertPanel }] = await Promise.all([import('./bulk.ts'), import('../../i18n/en/alert-panel.ts')])
  addTexts(enAlertPanel)
  return changeMany
}

/** What an analyst decides with one key or button. */
export type TriageAction = 'investigate' | 'resolve' | 'falsePositive' | 'benign' | 'reopen' | 'assignToMe' | 'unassign' | 'assign'

/** Every decision that needs no further question, with its key. */
export const triageActions: readonly { readonly action: TriageAction; readonly keys?: string }[] = [
  { action: 'investigate', keys: 'i' },
  { action: 'resolve', keys: 'r' },
  { action: 'falsePositive', keys: 'f' },
  { action: 'benign', keys: 'b' },
  { action: 'assignToMe', keys: 'a' },
  { action: 'unassign' },
  { action: 'reopen' },
]

/**
 * Decides about alerts that are loaded: at once on screen, then on the server. A key that is pressed again decides nothing more,
 * also while the request is on its way. `email` is who is assigned, by the actions that assign.
 */
export async function decide(alerts: readonly AlertBody[], action: TriageAction, email: string): Promise<void> {
  const [alert] = alerts
  if (alerts.length === 1 && alert !== undefined) {
    const change = toChange(action, email)
    if (!isDecided(alert, change)) await changeAlerts(alerts, change, t(`alerts.done.${action}`, { count: 1, person: email }))
  } else if (alerts.length > 1) await decideMany(alerts, { ids: alerts.map(({ id }) => id) }, action, email)
}

/** Whether an alert is shown as a change would make it. */
function isDecided(alert: AlertBody, change: AlertChange): boolean {
  const now = changedAlerts.get().get(alert.id) ?? alert
  const { status = now.status, assignee = now.assignee, verdict = now.verdict } = toShown(change)
  return status === now.status && assignee === now.assignee && verdict === now.verdict
}

/** Decides about many alerts in one request; `loaded` are those of them that are on screen. */
export async function decideMany(loaded: readonly AlertBody[], target: BulkTarget, action: TriageAction, email: string): Promise<void> {
  const print = (count: number): string => t(`alerts.done.${action}`, { count, person: email })
  await runPart(loadChangeMany, (changeMany) => changeMany(loaded, target, toChange(action, email), print))
}

/** Decisions that close or begin work: they are meant for alerts that have no decision yet. */
const onlyOpen: ReadonlySet<TriageAction> = new Set(['investigate', 'resolve', 'falsePositive', 'benign'])

/**
 * The status that many alerts must have for a decision to change them: earlier decisions about some of them stand, unless the list
 * was filtered by status, so that these are what is meant.
 */
export function toStatusTerms(action: TriageAction, isByStatus: boolean): Pick<BulkTarget, 'only_status'> {
  return isByStatus || !onlyOpen.has(action) ? {} : { only_status: ['open', 'investigating'] }
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
    case 'assign':
      return { assignee: email }
    case 'unassign':
      return { assignee: null }
  }
}
