import type { AlertInsertion } from '../../state/ports/alert-store.ts'
import type { NewAlert } from '../../model/alert.ts'
import { consoleLevels } from '../../model/level.ts'
import type { ConsoleLevel } from '../../model/level.ts'

/**
 * A message of the topic `alerts`: a match created an alert or joined one. After a restart it may be delivered twice;
 * the match id identifies it.
 */
type AlertNotice = {
  readonly alert_id: string
  readonly match_id: string
  readonly outcome: 'created' | 'grouped'
  readonly severity: ConsoleLevel
  readonly rule_id: string
  readonly rule_title: string
  readonly host: string
  /** The time of the match; RFC 3339. */
  readonly created_at: string
}

export function createAlertNotice(alert: NewAlert, { alertId }: AlertInsertion): AlertNotice {
  const { id, level, ruleId, ruleTitle, event, matchedAt } = alert
  return {
    alert_id: alertId,
    match_id: id,
    // An alert has the id of its first match, also where both were stored before.
    outcome: alertId === id ? 'created' : 'grouped',
    severity: consoleLevels[level],
    rule_id: ruleId,
    rule_title: ruleTitle,
    host: event.host,
    created_at: new Date(matchedAt).toISOString(),
  }
}
