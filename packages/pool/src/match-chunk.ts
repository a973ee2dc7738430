import { explain } from '@tripline/engine'
import type { DetectionMatch, Engine, EventOptions, MalformedLine, Match } from '@tripline/engine'

/** What a match is to carry besides its row and its rule; whatever is not asked for stays in the worker. */
export type MatchDetails = {
  /** The comparisons that made the rule hold. Default false. */
  readonly conditions?: boolean
  /** The JSON text of the event. Default false. */
  readonly text?: boolean
  /** The rule's whole tree with the outcome of every part, as JSON text. Default false. */
  readonly explanation?: boolean
}

/** A rule held on an event, as plain data. */
export type ChunkMatch = {
  /** The line of the piece, counted from 0. */
  readonly row: number
  /** The number of the rule: its place among the rules of the rule set. */
  readonly rule: number
  readonly conditions?: readonly string[]
  readonly text?: string
  readonly explanation?: string
}

/** What came of one piece. */
export type ChunkOutcome = {
  /** Ordered by row and then by rule. */
  readonly matches: readonly ChunkMatch[]
  /** The lines that hold no event; they count from the start of the piece. */
  readonly malformed: readonly MalformedLine[]
  /** Lines in all, blank ones too. */
  readonly lineCount: number
  readonly eventCount: number
  /** Events of unknown logsource that were tried on no rule. */
  readonly unroutedCount: number
}

/**
 * Matches the lines of a piece and answers in plain data: what a worker does, for who needs no worker.
 * `options` are those the engine was made with; it runs no correlations, which see all pieces in order or none.
 */
export function matchChunk(engine: Engine, bytes: Uint8Array, wanted: MatchDetails, options: EventOptions): ChunkOutcome {
  const unroutedBefore = engine.counts.unrouted
  const { matches, malformed, lineCount, eventCount } = engine.pushBytes(bytes)
  return {
    matches: matches.map((match) => toChunkMatch(requireDetection(match), engine, wanted, options)),
    malformed,
    lineCount,
    eventCount,
    unroutedCount: engine.counts.unrouted - unroutedBefore,
  }
}

function requireDetection(match: Match): DetectionMatch {
  if (match.kind === 'correlation') throw new Error(`the correlation ${match.rule.id} was run on a piece`)
  return match
}

function toChunkMatch(match: DetectionMatch, { ruleSet }: Engine, wanted: MatchDetails, options: EventOptions): ChunkMatch {
  const { row, rule, text } = match
  const number = ruleSet.numberOf(rule.id)
  if (number === undefined) throw new Error(`the rule ${rule.id} matched and is not in the rule set`)
  return {
    row,
    rule: number,
    ...(wanted.conditions && { conditions: match.conditions }),
    ...(wanted.text && text !== undefined && { text }),
    ...(wanted.explanation && { explanation: JSON.stringify(explain(rule, match.event, options).tree) }),
  }
}
