import type { RuleSet } from '@tripline/engine'
import type { Rule } from '../domain/rule.ts'
import { SerialQueue } from '../domain/serial-queue.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { BuiltinRules } from './builtin-rules.ts'
import { loadTenantRules, withExceptions } from './load-tenant-rules.ts'
import type { LoadedRule } from './loaded-rule.ts'
import type { TenantRules } from './tenant-rules.ts'

/** What a tenant's stream runs; `versions` has the rules whose version is not 1. */
export type RunningRules = { readonly ruleSet: RuleSet; readonly versions: ReadonlyMap<string, number> }

/**
 * Has a tenant's stream run other rules, and says from which offset: events before it were evaluated by the rules before,
 * that one and all after it by these. `store` is called in between; where it throws, those before go on.
 */
export type UseRules = (
  tenant: TenantId, rules: RunningRules, store: () => Promise<void>,
) => Promise<{ readonly effectiveFromOffset: number }>

export type RuleRegistryOptions = {
  readonly library: BuiltinRules
  /** What is stored of a tenant's rules. */
  readonly storedRules: (tenant: TenantId) => Promise<readonly Rule[]>
  readonly useRules: UseRules
  readonly now: () => number
  /** Hears of stored rules that do not compile any more. */
  readonly onBroken: (tenant: TenantId, broken: readonly LoadedRule[]) => void
}

/** Makes another book of a tenant's and says how it is kept; or gives the same back. */
export type TenantRulesUpdate = (book: TenantRules) => Promise<{ readonly book: TenantRules; readonly store?: () => Promise<void> }>

/** From which offset on a stream runs other rules; undefined where it runs the same as before. */
export type RuleChangeResult = { readonly effectiveFromOffset: number | undefined }

/** The books of all tenants: read when first asked for, changed one change after the other. */
export class RuleRegistry {
  readonly library: BuiltinRules
  readonly #options: RuleRegistryOptions
  readonly #rules = new Map<TenantId, Promise<TenantRules>>()
  /** The last change of each tenant that has begun. */
  readonly #changes = new Map<TenantId, SerialQueue>()

  constructor(options: RuleRegistryOptions) {
    this.library = options.library
    this.#options = options
  }

  /** The rules of a tenant as they are now. */
  of(tenant: TenantId): Promise<TenantRules> {
    const known = this.#rules.get(tenant)
    if (known !== undefined) return known
    const loading = this.#load(tenant)
    this.#rules.set(tenant, loading)
    // What could not be read is read again by whoever asks next.
    loading.catch(() => this.#rules.delete(tenant))
    return loading
  }

  /**
   * Changes a tenant's rules: `work` makes the new book, which is stored at the moment in which the tenant's stream goes
   * over to its rules. Where one of both fails, nothing changes. Works of one tenant wait for each other.
   */
  async change(tenant: TenantId, work: TenantRulesUpdate): Promise<RuleChangeResult> {
    const changes = this.#changes.get(tenant) ?? new SerialQueue()
    this.#changes.set(tenant, changes)
    return await changes.run(() => this.#change(tenant, work))
  }

  /** Ends exceptions whose time is over, in the books that were asked for. */
  async expireExceptions(): Promise<void> {
    const nowMs = this.#options.now()
    for (const [tenant, loading] of this.#rules) {
      if (findExpired(await loading, nowMs).length === 0) continue
      await this.change(tenant, async (book) => ({ book: withExceptions(book, findExpired(book, nowMs), nowMs) }))
    }
  }

  async #load(tenant: TenantId): Promise<TenantRules> {
    const { library, storedRules, now, onBroken } = this.#options
    const book = loadTenantRules(library, await storedRules(tenant), now())
    const broken = [...book.own.values()].filter(({ problem }) => problem !== undefined)
    if (broken.length > 0) onBroken(tenant, broken)
    return book
  }

  async #change(tenant: TenantId, work: TenantRulesUpdate): Promise<RuleChangeResult> {
    const before = await this.of(tenant)
    const { book: after, store } = await work(before)
    if (after === before) return { effectiveFromOffset: undefined }
    const keep = async (): Promise<void> => {
      await store?.()
      this.#rules.set(tenant, Promise.resolve(after))
    }
    if (after.running !== before.running) {
      return await this.#options.useRules(tenant, { ruleSet: after.running, versions: after.versions }, keep)
    }
    await keep()
    return { effectiveFromOffset: undefined }
  }
}

/** The rules that are narrowed by an exception whose time is over. */
function findExpired({ own }: TenantRules, nowMs: number): readonly LoadedRule[] {
  return [...own.values()].filter(({ narrowedUntil = Infinity }) => narrowedUntil <= nowMs)
}
