import type { AlertInsertion } from '../store/alert-store.ts'
import type { NewAlert } from '../domain/alert.ts'
import { consoleLevels } from '../domain/level.ts'
import type { ConsoleLevel } from '../domain/level.ts'

/**
 * A message of the topic `alerts`: that a match made an alert, or came to one. It may be told twice, after a restart;
 * the id of the match tells.
 */
export type AlertNotice = {
  readonly alert_id: string
  readonly match_id: string
  readonly outcome: 'created' | 'grouped'
  readonly severity: ConsoleLevel
  readonly rule_id: string
  readonly rule_title: string
  readonly host: string
  /** When the match was made; RFC 3339. */
  readonly created_at: string
}

export function createAlertNotice(alert: NewAlert, { alertId }: AlertInsertion): AlertNotice {
  const { id, level, ruleId, ruleTitle, event, matchedAt } = alert
  return {
    alert_id: alertId,
    match_id: id,
    // That of its first match is the id of an alert, also where both were known already.
    outcome: alertId === id ? 'created' : 'grouped',
    severity: consoleLevels[level],
    rule_id: ruleId,
    rule_title: ruleTitle,
    host: event.host,
    created_at: new Date(matchedAt).toISOString(),
  }
}
