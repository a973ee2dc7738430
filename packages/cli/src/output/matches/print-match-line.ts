import type { Approximation, CompiledRule, CorrelationMatch } from '@tripline/engine'
import type { ChunkMatch } from '@tripline/pool'
import { toLineBody, toPlaceBody } from '../print-place.ts'
import type { LinePlace } from '../../framework/line-place.ts'

/** A match that knows where it stands in the input, and what its rule is called. */
export type LocatedMatch = {
  readonly match: ChunkMatch
  readonly rule: CompiledRule
  /** Where the event stands; undefined for one of an input before. */
  readonly place: LinePlace | undefined
}

/**
 * Prints a match as one line of JSON, with the event and the explanation
 * where the match has them. An event's own text keeps what parsing loses: large integers, equal names.
 */
export function printMatchLine({ match, rule, place }: LocatedMatch, includesEvent: boolean): string {
  const { conditions, explanation } = match
  const text = includesEvent ? match.text : undefined
  const head = JSON.stringify({
    ...toPlaceBody(place),
    rule_id: rule.id,
    title: rule.title,
    level: rule.level ?? null,
    matched_conditions: conditions,
  })
  const eventPart = text === undefined ? '' : `,"event":${text}`
  const explainPart = explanation === undefined ? '' : `,"explain":${explanation}`
  return `${head.slice(0, -1)}${eventPart}${explainPart}}\n`
}

/** A correlation's match, and where the events of it stand in the input. */
export type LocatedCorrelation = {
  readonly match: CorrelationMatch
  /** The place of a number in the stream; undefined for one of an input before. */
  readonly locate: (sequence: number) => LinePlace | undefined
}

/** Prints a correlation's match as one line of JSON; its line is that of its newest event. */
export function printCorrelationLine({ match, locate }: LocatedCorrelation): string {
  const { rule, conditions, occurredAt, decidedAt, group, value, eventCount, events, newest } = match
  return JSON.stringify({
    ...toPlaceBody(locate(newest.sequence)),
    rule_id: rule.id,
    title: rule.title,
    level: rule.level ?? null,
    matched_conditions: conditions,
    correlation: {
      type: rule.rule.correlation.type,
      group: Object.fromEntries(group),
      value: value ?? null,
      occurred_at: new Date(occurredAt).toISOString(),
      decided_at: new Date(decidedAt).toISOString(),
      event_count: eventCount,
      lines: events.map(({ sequence }) => toLineBody(locate(sequence))),
      ...(match.sharedValue === undefined ? {} : { shared_value: match.sharedValue }),
      ...(match.approximate === undefined ? {} : { approximate: approximationBody(match.approximate) }),
      ...(match.isDegraded ? { degraded: true } : {}),
    },
  }) + '\n'
}

function approximationBody({ relativeError, windowErrorMs }: Approximation): object {
  return { relative_error: relativeError, window_error_ms: windowErrorMs }
}
