import type { Log } from '@tripline/common/log'
import type { SourcePosition } from '../spool/spool-record.ts'

/** What a source needs of the collector. */
export type SourceContext = {
  readonly name: string
  /** Where the source stands. */
  readonly position: SourcePosition | undefined
  /** Makes events durable with the position behind them. @throws SpoolError. */
  readonly append: (lines: readonly Uint8Array[], position?: SourcePosition) => Promise<void>
  /** Waits while the spool is nearly full; for sources whose events are safe where they are. */
  readonly waitForRoom: (signal: AbortSignal) => Promise<void>
  /** Counts what is no event, or was lost before it was in the spool. */
  readonly countDropped: (count: number, reason: string) => void
  /** The source works: it listens, or reached what it polls. */
  readonly reportHealthy: () => void
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly now: () => number
  readonly elapsedMs: () => number
  readonly hostname: string
  readonly log: Log
}

/** A source that runs until its signal aborts. It may throw; then it is started again later. */
export type RunSource = (context: SourceContext, signal: AbortSignal) => Promise<void>
