import type { RuleSet } from '@tripline/engine'
import type { Rule } from '../domain/rule.ts'
import type { TenantId } from '../domain/tenant.ts'
import { loadBook, withExceptions } from './load-book.ts'
import type { LoadedRule } from './loaded-rule.ts'
import type { RuleBook } from './rule-book.ts'
import type { RuleLibrary } from './rule-library.ts'

/**
 * Has a tenant's stream run other rules from its next batch on, and says from which offset. `versions` has the rules whose
 * version is not 1.
 */
export type UseRules = (
  tenant: TenantId, ruleSet: RuleSet, versions: ReadonlyMap<string, number>,
) => Promise<{ readonly effectiveFromOffset: number }>

export type RuleBooksOptions = {
  readonly library: RuleLibrary
  /** What is stored of a tenant's rules. */
  readonly storedRules: (tenant: TenantId) => Promise<readonly Rule[]>
  readonly useRules: UseRules
  readonly now: () => number
  /** Hears of stored rules that do not compile any more. */
  readonly onBroken: (tenant: TenantId, broken: readonly LoadedRule[]) => void
}

/** Makes another book of a tenant's, or gives the same back. */
export type BookWork = (book: RuleBook) => Promise<RuleBook>

/** From which offset on a stream runs other rules; undefined where it runs the same as before. */
export type TakenOver = { readonly effectiveFromOffset: number | undefined }

/** The books of all tenants: read when first asked for, changed one change after the other. */
export class RuleBooks {
  readonly library: RuleLibrary
  readonly #options: RuleBooksOptions
  readonly #books = new Map<TenantId, Promise<RuleBook>>()
  /** The last change of each tenant that has begun. */
  readonly #changes = new Map<TenantId, Promise<unknown>>()

  constructor(options: RuleBooksOptions) {
    this.library = options.library
    this.#options = options
  }

  /** The rules of a tenant as they are now. */
  of(tenant: TenantId): Promise<RuleBook> {
    const known = this.#books.get(tenant)
    if (known !== undefined) return known
    const loading = this.#load(tenant)
    this.#books.set(tenant, loading)
    // What could not be read is read again by whoever asks next.
    loading.catch(() => this.#books.delete(tenant))
    return loading
  }

  /**
   * Changes a tenant's rules: `work` stores what is to be kept and returns the book after that, or throws, and nothing
   * changes. Works of one tenant wait for each other. Then the stream runs the rules of the new book; undefined where
   * it runs the same as before.
   */
  async change(tenant: TenantId, work: BookWork): Promise<TakenOver> {
    const before = this.#changes.get(tenant) ?? Promise.resolve()
    const changing = before.then(() => this.#change(tenant, work))
    // Whether the one before failed is the business of who asked for it.
    const settled = changing.catch(() => {})
    this.#changes.set(tenant, settled)
    try {
      return await changing
    } finally {
      if (this.#changes.get(tenant) === settled) this.#changes.delete(tenant)
    }
  }

  /** Ends exceptions whose time is over, in the books that were asked for. */
  async expireExceptions(): Promise<void> {
    const nowMs = this.#options.now()
    for (const [tenant, loading] of this.#books) {
      if (expiredOf(await loading, nowMs).length === 0) continue
      await this.change(tenant, async (book) => withExceptions(book, expiredOf(book, nowMs), nowMs))
    }
  }

  async #load(tenant: TenantId): Promise<RuleBook> {
    const { library, storedRules, now, onBroken } = this.#options
    const book = loadBook(library, await storedRules(tenant), now())
    const broken = [...book.own.values()].filter(({ problem }) => problem !== undefined)
    if (broken.length > 0) onBroken(tenant, broken)
    return book
  }

  async #change(tenant: TenantId, work: BookWork): Promise<TakenOver> {
    const before = await this.of(tenant)
    const after = await work(before)
    this.#books.set(tenant, Promise.resolve(after))
    if (after.running === before.running) return { effectiveFromOffset: undefined }
    return await this.#options.useRules(tenant, after.running, after.versions)
  }
}

/** The rules that are narrowed by an exception whose time is over. */
function expiredOf({ own }: RuleBook, nowMs: number): readonly LoadedRule[] {
  return [...own.values()].filter(({ narrowedUntil = Infinity }) => narrowedUntil <= nowMs)
}
