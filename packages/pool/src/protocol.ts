import type { CompileOptions, EventOptions, RuleReport, RuleSource } from '@tripline/engine'
import type { PieceOutcome, Wanted } from './match-piece.ts'
import type { RuleHead } from './rule-head.ts'

/** What a worker is started with. */
export type WorkerSetup = {
  readonly sources: readonly RuleSource[]
  readonly compile: CompileOptions
  readonly events: EventOptions
  readonly wanted: Wanted
  /** Whether it sends what became of the rules: all workers know the same, so one of them does. */
  readonly reports: boolean
}

/** The rules that compiled, by number, and what became of each. */
export type RulesOutcome = { readonly rules: readonly RuleHead[]; readonly reports: readonly RuleReport[] }

/** What came of one piece, and how long it took. */
export type PoolOutcome = PieceOutcome & {
  /** Time to parse and match the piece, by the worker's clock. */
  readonly matchMs: number
}

/** What a worker sends: first that its rules are compiled, then an outcome for each piece, in the order they came. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly compiled: RulesOutcome | undefined }
  | { readonly kind: 'outcome'; readonly outcome: PoolOutcome }
