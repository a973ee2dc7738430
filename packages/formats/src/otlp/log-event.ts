import { AppError } from '@tripline/contract/app-error'
import type { EventObject } from '@tripline/engine'
import { limits } from '../limits.ts'

/** A log record of OpenTelemetry, read from either encoding. */
export type OtlpRecord = {
  readonly timeUnixNano?: string | undefined
  readonly observedTimeUnixNano?: string | undefined
  readonly severityNumber?: number | undefined
  readonly severityText?: string | undefined
  readonly eventName?: string | undefined
  readonly body?: unknown
  readonly attributes: EventObject
  readonly traceId?: string | undefined
  readonly spanId?: string | undefined
}

/** What several records share. */
export type LogScope = {
  readonly resource: EventObject
  readonly scope: { readonly name?: string | undefined; readonly version?: string | undefined; readonly attributes: EventObject }
}

/**
 * The event of a log record: its attributes and those of its resource are fields of the event, because the semantic conventions
 * name them as the Elastic Common Schema does; a body of text is `message`. The other names are those of OpenTelemetry's JSON, and
 * attributes that are called like one of them are in `attributes`.
 */
export function toLogEvent(record: OtlpRecord, { resource, scope }: LogScope): EventObject {
  const { timeUnixNano, observedTimeUnixNano, severityNumber, severityText, eventName, body, attributes, traceId, spanId } = record
  const { name, version } = scope
  const isStated = (time: string | undefined): boolean => time !== undefined && time !== '' && time !== '0'
  const ofScope = scope.attributes
  const scopeFields = { ...(name && { name }), ...(version && { version }), ...(hasFields(ofScope) && { attributes: ofScope }) }
  const own: EventObject = {
    // A record that tells no time of its own has that of its observation (OpenTelemetry, log data model).
    ...(isStated(timeUnixNano) ? { timeUnixNano } : isStated(observedTimeUnixNano) && { timeUnixNano: observedTimeUnixNano }),
    ...(isStated(observedTimeUnixNano) && { observedTimeUnixNano }),
    ...(severityNumber !== undefined && severityNumber !== 0 && { severityNumber }), ...(severityText && { severityText }),
    ...(eventName && { eventName }), ...(typeof body === 'string' ? { message: body } : body !== undefined && { body }),
    ...(hasFields(scopeFields) && { scope: scopeFields }), ...(traceId && { traceId }), ...(spanId && { spanId }),
  }
  const stated = { ...resource, ...attributes }
  const hidden = Object.keys(stated).filter((key) => Object.hasOwn(own, key) || key === 'attributes')
  return {
    ...stated, ...own, ...(hidden.length > 0 && { attributes: Object.fromEntries(hidden.map((key) => [key, stated[key]])) }),
  }
}

/** Counts the resources, scopes and records of a body: empty ones take two bytes each. @throws AppError PAYLOAD_TOO_LARGE. */
export function createPartCounter(): () => void {
  const { requestEventsMax: limit } = limits.ingest
  let count = 0
  return () => {
    if (++count <= limit) return
    const message = `the body contains more than ${limit} resources, scopes and log records; split it`
    throw new AppError('PAYLOAD_TOO_LARGE', message, { limit_events: limit })
  }
}

/** An integer of 64 bits: a number where it is exact, else its digits. */
export function toExactInteger(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function hasFields(object: object): boolean {
  return Object.keys(object).length > 0
}
