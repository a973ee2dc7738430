import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { getPath } from '@tripline/common/get-path'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { toLosslessJson } from '@tripline/common/lossless-json'
import { findObservable, normalizeEvent } from '@tripline/engine/evaluate'
import type { EventIds } from '@tripline/formats/event/event-id'
import type { EventSeverity } from '@tripline/formats/event/event-severity'
import { getSourceIp, getSourceName } from '@tripline/model/alert-source'
import { getEventRef } from '@tripline/storage/events/event-store'
import type { StoredEvent } from '@tripline/storage/events/event-store'

/** An event as a search result; absent texts are empty. */
export type EventSummary = {
  readonly id: string
  readonly occurredAt: number
  readonly severity: EventSeverity
  readonly product: string
  /** Product and service, such as `windows-sysmon`. */
  readonly source: string
  readonly host: string
  readonly sourceIp: string
  readonly code: number | undefined
  readonly message: string
  /** The whole event, or the requested fields. */
  readonly fields: { readonly [field: string]: unknown }
}

/** Builds a search result from a stored event, with all fields or the requested ones. */
export function summarizeEvent(
  stored: StoredEvent, { ids, fields }: { readonly ids: EventIds; readonly fields?: readonly string[] | undefined },
): EventSummary {
  const { occurredAt, severity, bytes } = stored
  const text = decodeUtf8(bytes)
  const parsed = tryParseJson(text)
  const event = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {}
  const exact = toLosslessJson(event, text)
  const normalized = normalizeEvent(event, 'auto')
  return {
    id: ids.print(getEventRef(stored)),
    occurredAt,
    severity,
    source: getSourceName(normalized.logsources.find(({ product }) => product !== undefined) ?? {}),
    host: findObservable(normalized, 'host'),
    product: normalized.logsources.find(({ product }) => product !== undefined)?.product ?? '',
    sourceIp: getSourceIp(normalized),
    code: getEventCode(normalized.fields) ?? getEventCode(event),
    message: getMessage(event),
    fields: fields === undefined ? exact : pickFields(exact, fields),
  }
}

const codeFields = ['EventID', 'event.code', 'winlog.event_id', 'event_id']
const messageFields = ['message', 'Message', 'body', 'msg']

function getEventCode(event: { readonly [field: string]: unknown }): number | undefined {
  for (const field of codeFields) {
    const value = getPath(event, field)
    const code = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
    if (Number.isSafeInteger(code)) return Number(code)
  }
  return undefined
}

function getMessage(event: { readonly [field: string]: unknown }): string {
  for (const field of messageFields) {
    const value = getPath(event, field)
    if (typeof value === 'string') return value
  }
  return ''
}

function pickFields(event: { readonly [field: string]: unknown }, fields: readonly string[]): { readonly [field: string]: unknown } {
  const held = fields.map((field) => [field, getPath(event, field)] as const).filter(([, value]) => value !== undefined)
  return Object.fromEntries(held)
}
