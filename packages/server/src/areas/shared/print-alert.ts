import { isJsonObject } from '@tripline/common/json'
import type { AlertBody } from '@tripline/contract/console/alert'
import { mitreKey } from '@tripline/contract/console/rule'
import { parseEventTime } from '@tripline/formats/event/parse-event-time'
import type { Alert } from '@tripline/model/alert'
import { toAlertStatusWord } from '@tripline/model/alert-status'
import { consoleLevels } from '@tripline/model/level'
import type { SlaTerms } from '@tripline/model/incidents/response-targets'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { printSla } from './sla.ts'

/** Prints an alert as lists of the console show it. */
export function printAlert(alert: Alert, terms: SlaTerms): AlertBody {
  const { host, user, processName, commandLine, statedTime } = alert.event
  return {
    id: alert.id,
    rule_id: alert.ruleId,
    rule_title: alert.ruleTitle,
    rule_version: alert.ruleVersion ?? null,
    severity: consoleLevels[alert.level],
    ...(alert.level === 'informational' ? { severity_raw: 'info' } : {}),
    status: toAlertStatusWord(alert.status),
    event: {
      timestamp: formatTimestamp(parseEventTime(statedTime) ?? alert.createdAt),
      source: alert.source,
      host,
      user,
      process: processName,
      command_line: commandLine,
    },
    enrichment: printEnrichment(alert.enrichment),
    [mitreKey]: { tactics: [...alert.attack.tactics], techniques: [...alert.attack.techniques] },
    assignee: alert.assignee ?? null,
    verdict: alert.verdict,
    reviewed_by: alert.reviewed?.by ?? null,
    reviewed_at: alert.reviewed === undefined ? null : formatTimestamp(alert.reviewed.at),
    event_count: alert.eventCount,
    last_seen: formatTimestamp(alert.lastSeenAt),
    first_event_at: formatTimestamp(alert.firstEventAt),
    last_event_at: formatTimestamp(alert.lastEventAt),
    incident_id: alert.incidentId ?? null,
    reopened_count: alert.reopenedCount,
    acknowledged_at: formatTimestamp(alert.acknowledgedAt),
    closed_at: formatTimestamp(alert.closedAt),
    sla: printSla(alert, terms),
    created_at: formatTimestamp(alert.createdAt),
    updated_at: formatTimestamp(alert.updatedAt),
  }
}

/** Prints the stored enrichment with exactly the fields of the contract; missing values become defaults. */
export function printEnrichment(stored: Alert['enrichment']): AlertBody['enrichment'] {
  const [user, asset, intel] = ['user_context', 'asset_context', 'threat_intel'].map((name) => {
    const part = stored[name]
    return isJsonObject(part) ? part : {}
  })
  return {
    user_context: { department: textOrDefault(user?.['department'], ''), is_privileged: user?.['is_privileged'] === true },
    asset_context: {
      criticality: textOrDefault(asset?.['criticality'], 'unknown'), os: textOrDefault(asset?.['os'], ''),
        ip: textOrDefault(asset?.['ip'], ''),
    },
    threat_intel: {
      known_malicious: intel?.['known_malicious'] === true, reputation_score: numberOrZero(intel?.['reputation_score']),
    },
  }
}

function textOrDefault(value: unknown, missing: string): string {
  return typeof value === 'string' ? value : missing
}

function numberOrZero(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
