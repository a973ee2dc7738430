import type { Clock } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { RuleSet } from '@tripline/engine'
import { getRuleClosure } from '@tripline/rule-tools'
import type { Principal } from '@tripline/model/access/principal'
import type { TriedException } from '@tripline/model/backtest'
import type { TenantId } from '@tripline/model/tenant'
import type { EventStore } from '@tripline/storage/events/event-store'
import { recordOutcome } from '../../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../../audit/record-outcome.ts'
import { limits } from '../../../limits.ts'
import { requireRule } from '../rules.ts'
import type { CostlyRules } from '../tests/check-costly-definition.ts'
import { countRuleComparisons } from '../tests/rule-test-cost.ts'
import type { BacktestLimiter } from './backtest-limiter.ts'
import { compareHunts } from './compare-hunts.ts'
import type { HuntComparison } from './compare-hunts.ts'
import { compileProposedRules } from './compile-proposed-rules.ts'
import { runHunt } from './hunt.ts'
import type { HuntMatch, HuntProgress, HuntResult } from './hunt.ts'

export type { HuntMatch }

/** What backtests need of the server. */
export type BacktestDeps = OutcomeDeps & HuntDeps & { readonly limiter: BacktestLimiter }

/** What running rules over stored events needs. */
export type HuntDeps = {
  readonly ruleBooks: Pick<RuleRegistry, 'get' | 'prepareRules'>
  readonly events: EventStore
  readonly costlyRules: CostlyRules
  readonly clock: Clock
}

/** What bounds a backtest, and who learns how far it is. */
type BacktestTerms = {
  /** Whether what it runs was checked when it was asked for, and counted where it is costly. */
  readonly isChecked?: boolean
  /** Milliseconds until it ends with what it has found. */
  readonly budgetMs: number
  readonly signal?: AbortSignal
  /** Learns the share of the range that was read, from 0 to 1; the next batch is read when it has ended. */
  readonly onProgress?: (share: number) => Promise<void>
}

/** The rule to run and the time range to run it over. */
export type Backtest = {
  /** Stored rules; none for a new one. */
  readonly ruleIds: readonly string[]
  /** YAML text to run instead of the stored one. */
  readonly definition: string | undefined
  /** Exceptions that each rule runs with, besides those in force. */
  readonly exceptions: readonly TriedException[]
  /** Inclusive start and exclusive end; the last day by default. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Whether to compare the matches with those of the stored rules as they are. */
  readonly isCompared: boolean
}

/** The matches of a rule over the range, and the differences to the stored rule. */
export type BacktestResult = {
  readonly from: number
  readonly to: number
  readonly found: HuntResult
  readonly comparison: HuntComparison | undefined
}

/**
 * Runs a rule over stored events with the engine of the stream, within a time budget, and records it in the audit trail;
 * `isWhole` of the result tells whether the budget sufficed.
 *
 * @throws AppError NOT_FOUND, INVALID_RULE, INVALID_BODY for an invalid range, UNAVAILABLE at the tenant's limit of
 *   backtests.
 */
export function backtestRule(deps: BacktestDeps, caller: Principal, backtest: Backtest): Promise<BacktestResult> {
  const { tenant } = caller
  const { ruleIds: [ruleId = 'new'], definition, isCompared } = backtest
  const details = { own_definition: definition !== undefined, compare: isCompared }
  const action = { action: 'rule.backtest', target: { type: 'rule', id: ruleId }, details }
  const run = (): Promise<BacktestResult> => runBacktest(deps, tenant, backtest, { budgetMs: limits.rules.backtestBudgetMs })
  return recordOutcome(deps, caller, action, () => deps.limiter.run(tenant, run),
    ({ from, to, found }) => ({
      figures: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), matches: found.matchCount },
    }))
}

/** What a backtest runs: the rules of the stream, or what the text makes of them. */
type PreparedBacktest = {
  readonly from: number
  readonly to: number
  readonly proposed: RuleSet
  /** What `proposed` is compared with. */
  readonly stored: RuleSet | undefined
}

/** Checks and compiles what a backtest runs. @throws AppError as `backtestRule`. */
export async function prepareBacktest(
  { ruleBooks, costlyRules, clock }: Omit<HuntDeps, 'events'>, tenant: TenantId, backtest: Backtest,
  { isChecked = false }: Pick<BacktestTerms, 'isChecked'> = {},
): Promise<PreparedBacktest> {
  const { ruleIds, definition, exceptions, isCompared } = backtest
  const range = resolveRange(backtest, clock.now())
  const book = await ruleBooks.get(tenant)
  const stored = ruleIds.length === 0 ? undefined : getStoredRules(book, ruleIds)
  if (definition !== undefined && ruleIds.length > 1) throw new AppError('INVALID_BODY', "'definition' takes the place of one rule")
  if (stored === undefined && definition === undefined) {
    throw new AppError('INVALID_BODY', "'definition' is required for a rule that is not stored")
  }
  const isStoredRun = stored !== undefined && definition === undefined && exceptions.length === 0
  if (isCompared && (stored === undefined || isStoredRun)) {
    throw new AppError('INVALID_BODY', "'compare' requires a stored rule, and a 'definition' or 'exceptions'")
  }
  const proposed = isStoredRun ? stored : await compileProposedRules(isChecked ? undefined : costlyRules, tenant, {
    book, ruleIds, definition, exceptions, nowMs: clock.now(),
  })
  return { ...range, proposed, stored: isCompared ? stored : undefined }
}

/** Runs a rule over stored events, within a time budget. @throws AppError as `backtestRule`. */
export async function runBacktest(
  deps: HuntDeps, tenant: TenantId, backtest: Backtest, terms: BacktestTerms,
): Promise<BacktestResult> {
  const { proposed, stored, ...range } = await prepareBacktest(deps, tenant, backtest, terms)
  const hunt = { tenant, ...range }
  const ruleSets = stored === undefined ? [proposed] : [stored, proposed]
  for (const ruleSet of ruleSets) await deps.ruleBooks.prepareRules(tenant, ruleSet)
  const { pass, ...options } = createBoundedOptions(deps, { ...range, ruleSets, ...terms })
  if (stored === undefined) {
    const found = await runHunt({ ...hunt, ruleSet: proposed }, { ...options, onProgress: (progress) => pass(progress, 0) })
    return { ...range, found, comparison: undefined }
  }
  const comparison = await compareHunts({ ...hunt, ruleSet: stored, changed: proposed }, { ...options, onProgress: pass })
  return { ...range, found: comparison.after, comparison }
}

function resolveRange({ from, to }: Backtest, nowMs: number): { readonly from: number; readonly to: number } {
  const end = to ?? nowMs
  const start = from ?? end - limits.rules.backtestRangeMs
  if (start >= end) throw new AppError('INVALID_BODY', "'from' must be before 'to'")
  if (end - start <= limits.rules.backtestRangeMaxMs) return { from: start, to: end }
  throw new AppError('INVALID_BODY', `a backtest covers at most ${limits.rules.backtestRangeMaxMs / 86_400_000} days`)
}

function getStoredRules(book: TenantRules, ruleIds: readonly string[]): RuleSet {
  for (const id of ruleIds) requireRule(book, id)
  return getRuleClosure(ruleIds, book.all)
}

type BoundedRun = BacktestTerms & { readonly from: number; readonly to: number; readonly ruleSets: readonly RuleSet[] }

/** Aborts the run at the end of its time budget, and uses batches small enough that other requests are served in between. */
function createBoundedOptions({ clock, events }: HuntDeps, { ruleSets, from, to, budgetMs, signal, onProgress }: BoundedRun) {
  const budget = new AbortController()
  const startedMs = clock.elapsedMs()
  const comparisonCount = Math.max(1, ...ruleSets.map(({ rules }) => countRuleComparisons(rules)))
  const eventsAtOnce = Math.max(1, Math.floor(limits.rules.comparisonsAtOnceMax / comparisonCount))
  return {
    store: events, elapsedMs: clock.elapsedMs, batchEventsMax: Math.min(limits.hunt.batchEventsMax, eventsAtOnce),
    signal: signal === undefined ? budget.signal : AbortSignal.any([signal, budget.signal]),
    pass: async ({ at }: HuntProgress, part: number): Promise<void> => {
      if (clock.elapsedMs() - startedMs >= budgetMs) budget.abort()
      const share = Math.min(1, Math.max(0, (at - from) / (to - from)))
      await onProgress?.((part + share) / ruleSets.length)
    },
  }
}
