import type { Approximation, CompiledRule, CorrelationMatch } from '@tripline/engine'
import type { ChunkMatch } from '@tripline/pool'

/** The line of an event in its input, counted from 0, and the path of that where there are several. */
export type MatchPlace = { readonly line: number; readonly path: string | undefined }

/** A match that knows where it stands in the input, and what its rule is called. */
export type LocatedMatch = {
  readonly match: ChunkMatch
  readonly rule: CompiledRule
  /** Where the event stands; undefined for one of an input before. */
  readonly place: MatchPlace | undefined
}

/**
 * Prints a match as one line of JSON, with the event and the explanation
 * where the match has them. An event's own text keeps what parsing loses: large integers, equal names.
 */
export function printMatchLine({ match, rule, place }: LocatedMatch, includesEvent: boolean): string {
  const { conditions, explanation } = match
  const text = includesEvent ? match.text : undefined
  const head = JSON.stringify({
    ...printPlace(place),
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
  readonly locate: (sequence: number) => MatchPlace | undefined
}

/** Prints a correlation's match as one line of JSON; its line is that of its newest event. */
export function printCorrelationLine({ match, locate }: LocatedCorrelation): string {
  const { rule, conditions, occurredAt, decidedAt, group, value, eventCount, events, newest } = match
  const lines = events.map(({ sequence }) => {
    const place = locate(sequence)
    return place?.path === undefined ? place?.line ?? null : printPlace(place)
  })
  return JSON.stringify({
    ...printPlace(locate(newest.sequence)),
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
      lines,
      ...(match.sharedValue === undefined ? {} : { shared_value: match.sharedValue }),
      ...(match.approximate === undefined ? {} : { approximate: approximationBody(match.approximate) }),
      ...(match.isDegraded ? { degraded: true } : {}),
    },
  }) + '\n'
}

/** The line of a match; with several inputs, also which one. */
function printPlace(place: MatchPlace | undefined): object {
  return { line: place?.line ?? null, ...(place?.path !== undefined && { input: place.path }) }
}

function approximationBody({ relativeError, windowErrorMs }: Approximation): object {
  return { relative_error: relativeError, window_error_ms: windowErrorMs }
}
