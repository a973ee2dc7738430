import type { Clock } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { checkTextWork, compileDefinition } from '@tripline/detection/rules/compile-definition'
import type { RuleRegistry } from '@tripline/detection/rules/rule-registry'
import type { TenantRules } from '@tripline/detection/rules/tenant-rules'
import type { RuleSet } from '@tripline/engine'
import { getRuleClosure } from '@tripline/rule-tools'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import type { EventStore } from '@tripline/storage/events/event-store'
import { recordOutcome } from '../../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../../audit/record-outcome.ts'
import { limits } from '../../../limits.ts'
import { requireRule } from '../rules.ts'
import { checkCostlyDefinition } from '../tests/check-costly-definition.ts'
import type { CostlyRules } from '../tests/check-costly-definition.ts'
import { countRuleComparisons } from '../tests/rule-test-cost.ts'
import type { BacktestLimiter } from './backtest-limiter.ts'
import { compareHunts } from './compare-hunts.ts'
import type { HuntComparison } from './compare-hunts.ts'
import { runHunt } from './hunt.ts'
import type { HuntMatch, HuntResult } from './hunt.ts'

export type { HuntMatch }

/** What backtests need of the server. */
export type BacktestDeps = OutcomeDeps & {
  readonly ruleBooks: Pick<RuleRegistry, 'get'>
  readonly events: EventStore
  readonly costlyRules: CostlyRules
  readonly backtests: BacktestLimiter
  readonly clock: Clock
}

/** The rule to run and the time range to run it over. */
type Backtest = {
  /** A stored rule; undefined for a new one. */
  readonly ruleId: string | undefined
  /** YAML text to run instead of the stored one. */
  readonly definition: string | undefined
  /** Inclusive start and exclusive end; the last day by default. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Whether to compare the matches of the stored rule with those of the definition. */
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
  const { ruleId = 'new', definition, isCompared } = backtest
  const details = { own_definition: definition !== undefined, compare: isCompared }
  const action = { action: 'rule.backtest', target: { type: 'rule', id: ruleId }, details }
  return recordOutcome(deps, caller, action, () => deps.backtests.run(tenant, () => runBacktest(deps, tenant, backtest)),
    ({ from, to, found }) => ({
      figures: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), matches: found.matchCount },
    }))
}

async function runBacktest(deps: BacktestDeps, tenant: TenantId, backtest: Backtest): Promise<BacktestResult> {
  const { ruleId, definition, isCompared } = backtest
  const store = deps.events
  const range = resolveRange(backtest, deps.clock.now())
  const book = await deps.ruleBooks.get(tenant)
  const stored = ruleId === undefined ? undefined : getStoredRules(book, ruleId)
  const proposed = definition === undefined ? stored : await compileProposedRules(deps.costlyRules, tenant, { book, definition })
  if (proposed === undefined) throw new AppError('INVALID_BODY', "'definition' is required for a rule that is not stored")
  if (isCompared && (stored === undefined || definition === undefined)) {
    throw new AppError('INVALID_BODY', "'compare' requires a stored rule and a 'definition'")
  }
  const hunt = { tenant, ...range }
  const options = createBoundedOptions(deps, { store, ruleSets: [proposed, ...(stored === undefined ? [] : [stored])] })
  if (!isCompared || stored === undefined) {
    return { ...range, found: await runHunt({ ...hunt, ruleSet: proposed }, options), comparison: undefined }
  }
  const comparison = await compareHunts({ ...hunt, ruleSet: stored, changed: proposed }, options)
  return { ...range, found: comparison.after, comparison }
}

function resolveRange({ from, to }: Backtest, nowMs: number): { readonly from: number; readonly to: number } {
  const end = to ?? nowMs
  const start = from ?? end - limits.rules.backtestRangeMs
  if (start >= end) throw new AppError('INVALID_BODY', "'from' must be before 'to'")
  if (end - start <= limits.rules.backtestRangeMaxMs) return { from: start, to: end }
  throw new AppError('INVALID_BODY', `a backtest covers at most ${limits.rules.backtestRangeMaxMs / 86_400_000} days`)
}

function getStoredRules(book: TenantRules, ruleId: string): RuleSet {
  requireRule(book, ruleId)
  return getRuleClosure(ruleId, book.all)
}

async function compileProposedRules(
  costlyRules: CostlyRules, tenant: TenantId, { book, definition }: { readonly book: TenantRules; readonly definition: string },
): Promise<RuleSet> {
  checkTextWork(definition)
  await checkCostlyDefinition(costlyRules, tenant, { rules: book, definition, exceptions: [] })
  const { parts } = compileDefinition(definition, { among: book.all, filterSources: book.library.filterSources })
  return getRuleClosure(parts[0]!.id, book.all.applyChange({ put: parts }))
}

/** Aborts the run at the end of its time budget, and uses batches small enough that other requests are served in between. */
function createBoundedOptions(
  { clock }: Pick<BacktestDeps, 'clock'>, { store, ruleSets }: { readonly store: EventStore; readonly ruleSets: readonly RuleSet[] },
) {
  const stop = new AbortController()
  const startedMs = clock.elapsedMs()
  const onProgress = (): void => {
    if (clock.elapsedMs() - startedMs >= limits.rules.backtestBudgetMs) stop.abort()
  }
  const comparisonCount = Math.max(1, ...ruleSets.map(({ rules }) => countRuleComparisons(rules)))
  const eventsAtOnce = Math.max(1, Math.floor(limits.rules.comparisonsAtOnceMax / comparisonCount))
  const batchEventsMax = Math.min(limits.hunt.batchEventsMax, eventsAtOnce)
  return { store, elapsedMs: clock.elapsedMs, batchEventsMax, onProgress, signal: stop.signal }
}
