import { normalizeEvent } from '@tripline/engine/evaluate'
import { sourceIpOf } from '../domain/alert-source.ts'
import { textOf } from '../domain/decode-utf8.ts'
import type { EventSeverity } from '../domain/event-severity.ts'
import { valueAt } from '../domain/get-path.ts'
import { isJsonObject, parseJson } from '../domain/json.ts'
import { withExactNumbers } from '../domain/lossless-json.ts'
import type { StoredEvent } from '../events/event-store.ts'

/** What a search shows of an event; texts are empty where the event says nothing. */
export type ShownEvent = {
  readonly occurredAt: number
  readonly severity: EventSeverity
  readonly product: string
  readonly sourceIp: string
  readonly code: number | undefined
  readonly message: string
  /** The whole event, or the fields that were asked for. */
  readonly fields: { readonly [field: string]: unknown }
}

/** Reads what a search shows of an event; with `fields`, those that it has. */
export function shownEventOf({ occurredAt, severity, bytes }: StoredEvent, fields: readonly string[] | undefined): ShownEvent {
  const text = textOf(bytes)
  const parsed = parseJson(text)
  const event = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {}
  const exact = withExactNumbers(event, text)
  const normalized = normalizeEvent(event, 'auto')
  return {
    occurredAt,
    severity,
    product: normalized.logsources.find(({ product }) => product !== undefined)?.product ?? '',
    sourceIp: sourceIpOf(event),
    code: codeOf(normalized.fields) ?? codeOf(event),
    message: messageIn(event),
    fields: fields === undefined ? exact : pick(exact, fields),
  }
}

const codeFields = ['EventID', 'event.code', 'winlog.event_id', 'event_id']
const messageFields = ['message', 'Message', 'body', 'msg']

function codeOf(event: { readonly [field: string]: unknown }): number | undefined {
  for (const field of codeFields) {
    const value = valueAt(event, field)
    const code = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
    if (Number.isSafeInteger(code)) return Number(code)
  }
  return undefined
}

function messageIn(event: { readonly [field: string]: unknown }): string {
  for (const field of messageFields) {
    const value = valueAt(event, field)
    if (typeof value === 'string') return value
  }
  return ''
}

function pick(event: { readonly [field: string]: unknown }, fields: readonly string[]): { readonly [field: string]: unknown } {
  const held = fields.map((field) => [field, valueAt(event, field)] as const).filter(([, value]) => value !== undefined)
  return Object.fromEntries(held)
}
