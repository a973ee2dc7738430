import { getPath } from '@tripline/common/get-path'
import type { EventObject } from '@tripline/engine'

/** The severity that an event has of its own; independent of rule levels and with other values. */
export const eventSeverities = ['info', 'low', 'medium', 'high', 'critical'] as const
export type EventSeverity = (typeof eventSeverities)[number]

/** Severity words of different products, in lower case. */
const words: { readonly [word: string]: EventSeverity } = {
  emerg: 'critical', emergency: 'critical', panic: 'critical', alert: 'critical', crit: 'critical', critical: 'critical', fatal: 'critical',
  err: 'high', error: 'high', high: 'high',
  warn: 'medium', warning: 'medium', medium: 'medium', moderate: 'medium',
  notice: 'low', low: 'low',
  info: 'info', information: 'info', informational: 'info', debug: 'info', verbose: 'info', trace: 'info',
}

/** By syslog severity number: emergency, alert, critical, error, warning, notice, informational, debug. */
const syslogSeverities: readonly EventSeverity[] = ['critical', 'critical', 'critical', 'high', 'medium', 'low', 'info', 'info']

/** Fields with severity words; the first known word wins. */
const wordFields = ['severity', 'log.level', 'level', 'syslog.severity', 'severityText', 'SeverityLevel', 'Severity']

/**
 * Reads the severity of an event from its syslog severity, OpenTelemetry severity number, a severity word, or ECS
 * `event.severity`; `info` if it has none.
 */
export function getEventSeverity(event: EventObject): EventSeverity {
  const syslog = numberAt(event, 'log.syslog.severity.code') ?? numberAt(event, 'syslog_severity')
  if (syslog !== undefined && syslogSeverities[syslog] !== undefined) return syslogSeverities[syslog]
  const openTelemetry = numberAt(event, 'severityNumber')
  if (openTelemetry !== undefined) return fromOpenTelemetrySeverity(openTelemetry)
  for (const field of wordFields) {
    const word = getPath(event, field)
    const severity = typeof word === 'string' && Object.hasOwn(words, word.toLowerCase()) ? words[word.toLowerCase()] : undefined
    if (severity !== undefined) return severity
  }
  const ecs = numberAt(event, 'event.severity')
  return ecs === undefined ? 'info' : fromEcsSeverity(ecs)
}

/** OpenTelemetry has four numbers for each of trace, debug, info, warn, error and fatal. */
function fromOpenTelemetrySeverity(number: number): EventSeverity {
  if (number >= 21) return 'critical'
  if (number >= 17) return 'high'
  return number >= 13 ? 'medium' : 'info'
}

/** ECS leaves the scale to the source; most use 0 to 100 as Elastic's rules do. */
function fromEcsSeverity(number: number): EventSeverity {
  if (number >= 99) return 'critical'
  if (number >= 73) return 'high'
  if (number >= 47) return 'medium'
  return number >= 21 ? 'low' : 'info'
}

function numberAt(event: EventObject, field: string): number | undefined {
  const value = getPath(event, field)
  return typeof value === 'number' ? value : undefined
}
