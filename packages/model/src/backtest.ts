import type { RuleException } from './rule.ts'

/** An exception that is tried: its selections and condition. */
export type TriedException = Pick<RuleException, 'detection'>

/** A backtest of a tenant's history: what was asked for, and what became of it. */
export type StoredBacktest = {
  readonly id: string
  /** The stored rules that it runs; empty for a text that is not stored. */
  readonly ruleIds: readonly string[]
  /** YAML text that runs instead of the stored rule; empty where there is none. */
  readonly definition: string
  /** Exceptions that each rule runs with, besides those in force. */
  readonly exceptions: readonly TriedException[]
  /** Whether the stored rule runs as well, and the matches of both are compared. */
  readonly isCompared: boolean
  /** The range, from inclusive to exclusive. */
  readonly from: number
  readonly to: number
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Who asked for it, as the audit trail names people. */
  readonly requestedBy: string
  readonly requestedAt: number
  readonly finishedAt: number | undefined
  /** What it found, as JSON; empty until it has succeeded. */
  readonly result: string
  /** Why it failed; empty otherwise. */
  readonly error: string
}
