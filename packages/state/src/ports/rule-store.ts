import type { StoredBacktest } from '@tripline/model/backtest'
import type { Rule, RulePipelineChange, StoredRulePipeline } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms, Insertion } from './change.ts'

/** Who changed a rule, by name, and whether it was enabled before; a built-in rule that was never changed is stored nowhere. */
type RuleChangeFacts = { readonly by: string; readonly wasEnabled: boolean }

/** Stores the rules of tenants. */
export type RuleStore = {
  /** Adds or replaces rules by id; their versions keep who changed them. */
  readonly put: (tenant: TenantId, rules: readonly Rule[], change?: RuleChangeFacts) => Promise<void>
  /** All rules of a tenant, by id. */
  readonly list: (tenant: TenantId) => Promise<readonly Rule[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Rule | undefined>
}

/** The text of a rule under one of its versions. */
export type RuleVersion = {
  readonly version: number
  readonly definition: string
  readonly savedAt: number
  /** Who saved it; null of versions whose author was not kept. */
  readonly savedBy: string | null
}

/** A version of a rule without its text; whether that differs from the kept version before. */
export type RuleVersionSummary = Omit<RuleVersion, 'definition'> & { readonly isTextChanged: boolean }

/**
 * Reads what the texts of a tenant's own rules were: each saved version is kept, also after the rule is removed, because alerts
 * name the version that raised them. A built-in rule that the tenant did not change has no text of its own.
 */
export type RuleVersionStore = {
  readonly get: (tenant: TenantId, ruleId: string, version: number) => Promise<RuleVersion | undefined>
  /** Who saved these versions, by the ids of their rules; a version that was not kept, or whose author was not, is absent. */
  readonly authors: (tenant: TenantId, versions: readonly Pick<Rule, 'id' | 'version'>[]) => Promise<ReadonlyMap<string, string>>
  /** The versions of a rule without their texts, newest first. */
  readonly list: (tenant: TenantId, ruleId: string) => Promise<readonly RuleVersionSummary[]>
}

/** Stores backtests, each with what it found. */
export type BacktestStore = {
  readonly insert: (tenant: TenantId, backtest: StoredBacktest) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<StoredBacktest | undefined>
  /** The newest first, without what they found. */
  readonly list: (tenant: TenantId, limit: number) => Promise<readonly StoredBacktest[]>
  /** Those that wait or run, oldest first. */
  readonly listUnfinished: (tenant: TenantId) => Promise<readonly StoredBacktest[]>
  /** Writes what became of a backtest; returns whether it exists. */
  readonly save: (tenant: TenantId, backtest: StoredBacktest) => Promise<boolean>
  /** Returns whether it existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
  /** Removes finished ones requested before an instant, and the oldest beyond a number, at most `limit` of each; returns how many. */
  readonly removeOld: (
    tenant: TenantId, which: { readonly before: number; readonly keptMax: number; readonly limit: number },
  ) => Promise<number>
}

/** Stores the processing pipelines of tenants; their names are unique in a tenant. */
export type RulePipelineStore = {
  readonly insert: (tenant: TenantId, pipeline: StoredRulePipeline) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<StoredRulePipeline | undefined>
  /** All pipelines of a tenant, in the order in which they run. */
  readonly list: (tenant: TenantId) => Promise<readonly StoredRulePipeline[]>
  /** Changes a pipeline in the name of `by`. */
  readonly update: (
    tenant: TenantId, id: string, change: RulePipelineChange & { readonly by: string }, terms: ChangeTerms,
  ) => Promise<ChangeResult<StoredRulePipeline> | { readonly outcome: 'taken' }>
  /** Returns whether it existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
