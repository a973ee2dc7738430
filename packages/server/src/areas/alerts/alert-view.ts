import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { toLosslessJson } from '@tripline/common/lossless-json'
import type { AlertBody, AlertDetailBody } from '@tripline/contract/console/alert'
import { mitreKey } from '@tripline/contract/console/rule'
import { parseEventTime } from '@tripline/formats/event/parse-event-time'
import type { Alert, AlertStatus } from '@tripline/model/alert'
import { toAlertStatusWord, alertStatusWords } from '@tripline/model/alert-status'
import type { AlertStatusWord } from '@tripline/model/alert-status'
import { consoleLevels } from '@tripline/model/level'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { limits } from '../../limits.ts'
import type { AlertDetail } from './alerts.ts'

export function printAlert(alert: Alert): AlertBody {
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
    incident_id: alert.incidentId ?? null,
    reopened_count: alert.reopenedCount,
    created_at: formatTimestamp(alert.createdAt),
    updated_at: formatTimestamp(alert.updatedAt),
  }
}

/** Prints an alert with comments and evidence; events are included up to a size limit of the response. */
export function printAlertDetail({ alert, comments, evidence }: AlertDetail): AlertDetailBody {
  let bytesLeft: number = limits.lists.evidenceBytesMax
  const printEvent = (text: string) => {
    bytesLeft -= text.length
    const parsed = bytesLeft < 0 ? undefined : tryParseJson(text)
    return parsed !== undefined && 'value' in parsed && isJsonObject(parsed.value) ? toLosslessJson(parsed.value, text) : null
  }
  return {
    ...printAlert(alert),
    correlation: printCorrelation(alert.enrichment['correlation']),
    comments: comments.map(({ id, author, text, createdAt }) => {
      return { id, author, content: text, created_at: formatTimestamp(createdAt) }
    }),
    evidence: evidence.map(({ matchId, matchedAt, eventId = null, event }) => {
      return { match_id: matchId, timestamp: formatTimestamp(matchedAt), event_id: eventId, event: printEvent(event) }
    }),
  }
}

/** The status for the name that the console API uses. */
export function parseAlertStatus(word: AlertStatusWord): AlertStatus {
  return alertStatusWords[word]
}

/** Prints what a correlation found (`AlertCorrelation`), as it was stored; null for alerts without. */
function printCorrelation(stored: unknown): AlertDetailBody['correlation'] {
  if (!isJsonObject(stored)) return null
  const { condition, isDegraded, approximate } = stored
  return {
    condition: textOrDefault(condition, ''),
    degraded: isDegraded === true,
    approximate: !isJsonObject(approximate) ? null : {
      relative_error: numberOrZero(approximate['relativeError']), window_error_ms: numberOrZero(approximate['windowErrorMs']),
    },
  }
}

/** Prints the stored enrichment with exactly the fields of the contract; missing values become defaults. */
function printEnrichment(stored: Alert['enrichment']): AlertBody['enrichment'] {
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
