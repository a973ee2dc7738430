import { isJsonObject, tryParseJson } from '@tripline/common/json'
import type { PublicAlertDetail } from '@tripline/contract/public/alert'
import { parseEventTime } from '@tripline/formats/event/parse-event-time'
import type { Alert } from '@tripline/model/alert'
import { printEnrichment } from '../shared/print-alert.ts'
import { toPublicAlert } from '../shared/public-alert.ts'
import type { AlertDetail } from './alerts.ts'

/** What belongs to an alert but is stored elsewhere. */
type AlertContext = Pick<PublicAlertDetail, 'timeline' | 'matched_conditions' | 'url'>

/** An alert as the public API shows it by itself. */
export function toPublicAlertDetail({ alert, comments }: AlertDetail, context: AlertContext): PublicAlertDetail {
  const { host, user, processName, commandLine, statedTime } = alert.event
  const entities = [['host', host], ['user', user], ['ip', alert.sourceIp], ['process', processName]] as const
  return {
    ...toPublicAlert(alert),
    rule_id: alert.ruleId,
    rule_title: alert.ruleTitle,
    event: {
      timestamp: parseEventTime(statedTime) ?? alert.createdAt, source: alert.source, host, user, process: processName,
      command_line: commandLine,
    },
    enrichment: printEnrichment(alert.enrichment),
    entities: entities.filter(([, value]) => value !== '').map(([type, value]) => ({ type, value })),
    assignee: alert.assignee ?? null,
    verdict: alert.verdict,
    first_seen: alert.createdAt,
    last_seen: alert.lastSeenAt,
    dedup_key: alert.dedupKey,
    incident_id: alert.incidentId ?? null,
    reopened_count: alert.reopenedCount,
    comments: comments.map(({ id, text, author, createdAt }) => ({ id, content: text, author, created_at: createdAt })),
    ...context,
  }
}

/** The condition of the correlation that raised an alert; undefined for an alert of another rule. */
export function getCorrelationCondition({ enrichment }: Alert): string | undefined {
  const { correlation } = enrichment
  return isJsonObject(correlation) && typeof correlation['condition'] === 'string' ? correlation['condition'] : undefined
}

/** The last event of an alert that is stored with it. */
export function getLastEvent({ evidence }: AlertDetail): { readonly [field: string]: unknown } | undefined {
  const parsed = tryParseJson(evidence.at(-1)?.event ?? '')
  return 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : undefined
}
