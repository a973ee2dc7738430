import { SerialQueue } from '@tripline/common/serial-queue'
import { WorkBudget } from '@tripline/engine'
import type { RuleSet } from '@tripline/engine'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import { setImmediate as othersFirst } from 'node:timers/promises'
import type { BuiltinRules } from './builtin-rules.ts'
import { loadTenantRules, withExceptions } from './load-tenant-rules.ts'
import type { LoadedRule } from './loaded-rule.ts'
import { rewriteBuiltinRules } from './rewrite-builtin-rules.ts'
import type { RuleRewriting } from './rewriting.ts'
import type { TenantRules } from './tenant-rules.ts'

/** The rules that a tenant's stream runs; `versions` holds versions other than 1. */
type RunningRules = { readonly ruleSet: RuleSet; readonly versions: ReadonlyMap<string, number> }

/**
 * Swaps the rules of a tenant's stream and returns the offset from which they apply: earlier events were evaluated by
 * the old rules. `store` runs in between; if it throws, the old rules stay.
 */
type UseRules = (
  tenant: TenantId, rules: RunningRules, store: () => Promise<void>,
) => Promise<{ readonly effectiveFromOffset: number }>

export type RuleLoaderOptions = {
  readonly library: BuiltinRules
  /** Loads a tenant's stored rules. */
  readonly loadStoredRules: (tenant: TenantId) => Promise<readonly Rule[]>
  /** Loads what rewrites the rules of a tenant; default nothing. */
  readonly loadRewriting?: (tenant: TenantId) => Promise<RuleRewriting | undefined>
  readonly now: () => number
  /** Called with stored rules that no longer compile. */
  readonly onBroken: (tenant: TenantId, broken: readonly LoadedRule[]) => void
}

/** Computes a tenant's new rules and how to store them, or returns the same rules. */
export type TenantRulesUpdate = (book: TenantRules) => Promise<{ readonly book: TenantRules; readonly store?: () => Promise<void> }>

/** The offset from which the stream runs other rules; undefined if it runs the same. */
type RuleChangeResult = { readonly effectiveFromOffset: number | undefined }

/** Loads the rules of each tenant on first use, and holds the current ones. */
export class RuleLoader {
  readonly #options: RuleLoaderOptions
  readonly #rules = new Map<TenantId, Promise<TenantRules>>()

  constructor(options: RuleLoaderOptions) {
    this.#options = options
  }

  /** The current rules of a tenant. */
  get(tenant: TenantId): Promise<TenantRules> {
    const known = this.#rules.get(tenant)
    if (known !== undefined) return known
    const loading = this.#load(tenant)
    this.#rules.set(tenant, loading)
    // A failed load is retried by the next call.
    loading.catch(() => this.#rules.delete(tenant))
    return loading
  }

  /** Replaces the rules of a tenant. */
  set(tenant: TenantId, rules: TenantRules): void {
    this.#rules.set(tenant, Promise.resolve(rules))
  }

  /** The tenants whose rules are loaded. */
  get loadedTenants(): readonly TenantId[] {
    return [...this.#rules.keys()]
  }

  /** Builds the rules of a tenant with other pipelines, and takes them for no tenant; in steps, until the budget is exceeded. */
  async build(tenant: TenantId, rewriting: RuleRewriting | undefined, budget: WorkBudget): Promise<TenantRules> {
    const { library, loadStoredRules, now } = this.#options
    const terms = { budget, othersFirst }
    const rewritten = rewriting === undefined ? library : await rewriteBuiltinRules(library, { rewriting, ...terms })
    return await loadTenantRules(rewritten, await loadStoredRules(tenant), { ...terms, nowMs: now() })
  }

  async #load(tenant: TenantId): Promise<TenantRules> {
    const { loadRewriting, onBroken } = this.#options
    // What is stored was within its budget when it was saved.
    const book = await this.build(tenant, await loadRewriting?.(tenant), new WorkBudget(Infinity))
    const broken = [...book.own.values()].filter(({ problem }) => problem !== undefined)
    if (broken.length > 0) onBroken(tenant, broken)
    return book
  }
}

export type RuleRegistryOptions = {
  readonly loader: Pick<RuleLoader, 'build' | 'get' | 'set' | 'loadedTenants'>
  readonly useRules: UseRules
  /** Does ahead, in turns, what would hold the stream up at its next event with changed rules. */
  readonly prepareRules: (tenant: TenantId, ruleSet: RuleSet) => Promise<void>
  readonly now: () => number
}

/** The rules of all tenants, changed one change at a time. */
export class RuleRegistry {
  readonly #options: RuleRegistryOptions
  /** The queue of changes of each tenant. */
  readonly #changes = new Map<TenantId, SerialQueue>()

  constructor(options: RuleRegistryOptions) {
    this.#options = options
  }

  /** The current rules of a tenant. */
  get(tenant: TenantId): Promise<TenantRules> {
    return this.#options.loader.get(tenant)
  }

  /** Builds the indexes of rules in turns, for what runs them beside the stream. */
  prepareRules(tenant: TenantId, ruleSet: RuleSet): Promise<void> {
    return this.#options.prepareRules(tenant, ruleSet)
  }

  /** Builds the rules of a tenant with other pipelines, for a change of them or to count what they change. */
  build(tenant: TenantId, rewriting: RuleRewriting | undefined, budget: WorkBudget): Promise<TenantRules> {
    return this.#options.loader.build(tenant, rewriting, budget)
  }

  /**
   * Changes a tenant's rules: `work` computes the new ones, which are stored while the tenant's stream swaps to them.
   * If either fails, nothing changes. Changes of one tenant run one after the other.
   */
  async change(tenant: TenantId, work: TenantRulesUpdate): Promise<RuleChangeResult> {
    const changes = this.#changes.get(tenant) ?? new SerialQueue()
    this.#changes.set(tenant, changes)
    return await changes.run(() => this.#change(tenant, work))
  }

  /** Ends expired exceptions in all loaded rules. */
  async expireExceptions(): Promise<void> {
    const { loader, now } = this.#options
    const nowMs = now()
    for (const tenant of loader.loadedTenants) {
      if (findExpired(await loader.get(tenant), nowMs).length === 0) continue
      await this.change(tenant, async (book) => ({ book: withExceptions(book, findExpired(book, nowMs), { nowMs }) }))
    }
  }

  async #change(tenant: TenantId, work: TenantRulesUpdate): Promise<RuleChangeResult> {
    const before = await this.get(tenant)
    const { book: after, store } = await work(before)
    if (after === before) return { effectiveFromOffset: undefined }
    const keep = async (): Promise<void> => {
      await store?.()
      this.#options.loader.set(tenant, after)
    }
    if (after.running !== before.running) {
      await this.#options.prepareRules(tenant, after.running)
      return await this.#options.useRules(tenant, { ruleSet: after.running, versions: after.versions }, keep)
    }
    await keep()
    return { effectiveFromOffset: undefined }
  }
}

/** The rules with an expired exception. */
function findExpired({ own }: TenantRules, nowMs: number): readonly LoadedRule[] {
  return [...own.values()].filter(({ narrowedUntil = Infinity }) => narrowedUntil <= nowMs)
}
