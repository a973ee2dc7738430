import { explain } from '@tripline/engine'
import type { DetectionMatch, Engine, EventOptions, MalformedLine, Match } from '@tripline/engine'

/** The details to include in a match besides its row and rule; others stay in the worker. */
export type MatchDetails = {
  /** The comparisons that made the rule match. Default false. */
  readonly conditions?: boolean
  /** The JSON text of the event. Default false. */
  readonly text?: boolean
  /** The rule's whole tree with the result of every part, as JSON text. Default false. */
  readonly explanation?: boolean
}

/** A match of a rule on an event, as plain data. */
export type ChunkMatch = {
  /** The line of the chunk, counted from 0. */
  readonly row: number
  /** The number of the rule: its place among the rules of the rule set. */
  readonly rule: number
  readonly conditions?: readonly string[]
  readonly text?: string
  readonly explanation?: string
}

/** How the events of chunks are read. A mapping is a function, which cannot be sent to a thread: map the lines before. */
export type ChunkEventOptions = Omit<EventOptions, 'mapping'>

/** The result of one chunk. */
export type ChunkOutcome = {
  /** Ordered by row and then by rule. */
  readonly matches: readonly ChunkMatch[]
  /** The lines that are no event; numbers count from the start of the chunk. */
  readonly malformed: readonly MalformedLine[]
  /** All lines, including blank ones. */
  readonly lineCount: number
  readonly eventCount: number
  /** Events of unknown logsource, which no rule was tried on. */
  readonly unroutedCount: number
}

/**
 * Matches the lines of a chunk and returns plain data: the work of a worker, usable in any thread. `options` are those of
 * the engine, which must not run correlations: they would have to see all chunks in order.
 */
export function matchChunk(engine: Engine, bytes: Uint8Array, include: MatchDetails, options: ChunkEventOptions): ChunkOutcome {
  const unroutedBefore = engine.counts.unrouted
  const { matches, malformed, lineCount, eventCount } = engine.pushBytes(bytes)
  return {
    matches: matches.map((match) => toChunkMatch(requireDetection(match), engine, include, options)),
    malformed,
    lineCount,
    eventCount,
    unroutedCount: engine.counts.unrouted - unroutedBefore,
  }
}

function requireDetection(match: Match): DetectionMatch {
  if (match.kind === 'correlation') throw new Error(`the engine runs the correlation ${match.rule.id}; create it with correlation: false`)
  return match
}

function toChunkMatch(match: DetectionMatch, { ruleSet }: Engine, include: MatchDetails, options: ChunkEventOptions): ChunkMatch {
  const { row, rule, text } = match
  const number = ruleSet.numberOf(rule.id)
  if (number === undefined) throw new Error(`the rule ${rule.id} matched but is not in the rule set`)
  return {
    row,
    rule: number,
    ...(include.conditions && { conditions: match.conditions }),
    ...(include.text && text !== undefined && { text }),
    ...(include.explanation && { explanation: JSON.stringify(explain(rule, match.event, options).tree) }),
  }
}
