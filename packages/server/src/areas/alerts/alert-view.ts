import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { toLosslessJson } from '@tripline/common/lossless-json'
import type { alertChangeSchema, AlertDetailBody } from '@tripline/contract/console/alert'
import type { AlertStatus } from '@tripline/model/alert'
import { alertStatusWords } from '@tripline/model/alert-status'
import type { AlertStatusWord } from '@tripline/model/alert-status'
import type { SlaTerms } from '@tripline/model/incidents/response-targets'
import type { z } from 'zod'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { limits } from '../../limits.ts'
import { printAlert } from '../shared/print-alert.ts'
import type { AlertDetail, AlertUpdate } from './alerts.ts'

/** Prints an alert with comments and evidence; events are included up to a size limit of the response. */
export function printAlertDetail({ alert, comments, evidence }: AlertDetail, terms: SlaTerms): AlertDetailBody {
  let bytesLeft: number = limits.lists.evidenceBytesMax
  const printEvent = (text: string) => {
    bytesLeft -= text.length
    const parsed = bytesLeft < 0 ? undefined : tryParseJson(text)
    return parsed !== undefined && 'value' in parsed && isJsonObject(parsed.value) ? toLosslessJson(parsed.value, text) : null
  }
  return {
    ...printAlert(alert, terms),
    correlation: printCorrelation(alert.enrichment['correlation']),
    comments: comments.map(({ id, author, text, createdAt }) => {
      return { id, author, content: text, created_at: formatTimestamp(createdAt) }
    }),
    evidence: evidence.map(({ matchId, matchedAt, eventId = null, event }) => {
      return { match_id: matchId, timestamp: formatTimestamp(matchedAt), event_id: eventId, event: printEvent(event) }
    }),
  }
}

/** The change that a body states. */
export function toAlertUpdate({ status, assignee, notes, verdict }: z.output<typeof alertChangeSchema>): AlertUpdate {
  return {
    ...(status !== undefined && { status: parseAlertStatus(status) }),
    ...(assignee !== undefined && { assignee }),
    ...(verdict !== undefined && { verdict }),
    ...(notes !== undefined && { comment: notes }),
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
    condition: typeof condition === 'string' ? condition : '',
    degraded: isDegraded === true,
    approximate: !isJsonObject(approximate) ? null : {
      relative_error: numberOrZero(approximate['relativeError']), window_error_ms: numberOrZero(approximate['windowErrorMs']),
    },
  }
}

function numberOrZero(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
