import type { Engine, Match } from '@tripline/engine'
import type { Context } from '../framework/context.ts'
import { chunkLines } from '../input/chunk-lines.ts'
import type { EventInput } from '../input/open-events.ts'
import { Progress } from '../input/progress.ts'
import { reportSkippedLines } from '../input/report-malformed-lines.ts'

/** The result of a run besides its matches. */
type EngineRun = {
  /** Malformed lines. */
  readonly malformed: number
  /** Time from bytes to matches. */
  readonly matchMs: number
}

/** Pushes a whole input through an engine with a progress bar, and reports the number of malformed lines on stderr. */
export async function runEngine(
  engine: Engine, input: EventInput, context: Context, onMatches: (matches: readonly Match[]) => void = () => {},
): Promise<EngineRun> {
  const progress = new Progress(input, context)
  let malformed = 0
  let matchMs = 0
  for await (const { bytes, endsWithLongLine } of chunkLines(input.chunks)) {
    const startedAt = context.now()
    const outcome = engine.pushBytes(bytes)
    matchMs += context.now() - startedAt
    malformed += outcome.malformed.length + (endsWithLongLine ? 1 : 0)
    onMatches(outcome.matches)
    progress.draw(engine.counts.events)
  }
  progress.clear()
  malformed += input.takeProblems().length
  reportSkippedLines(malformed, context.stderr)
  return { malformed, matchMs }
}
