import type { PublicAlert } from '@tripline/contract/public/alert'
import type { Alert } from '@tripline/model/alert'
import { severityOfLevel } from '@tripline/model/public-words'
import { summarizeAlert } from './summarize-alert.ts'

/** An alert as the public API lists it. */
export function toPublicAlert(alert: Alert): PublicAlert {
  return {
    id: alert.id,
    title: alert.ruleTitle,
    severity: severityOfLevel[alert.level],
    status: alert.status,
    source: alert.source,
    source_type: alert.product,
    source_ip: alert.sourceIp,
    mitre_tactics: alert.attack.tactics,
    mitre_techniques: alert.attack.techniques,
    created_at: alert.createdAt,
    updated_at: alert.updatedAt,
    description: alert.description,
    event_count: alert.eventCount,
    ai_summary: summarizeAlert(alert),
    ai_summary_source: 'template',
  }
}
