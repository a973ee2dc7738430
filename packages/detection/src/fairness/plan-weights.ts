import { settingDefaults } from '@tripline/model/tenant-settings'
import type { Plan } from '@tripline/model/tenant-settings'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'

const { planWeightFree, planWeightMdr, planWeightPro, planWeightCustom } = limits.fairness
const weights: { readonly [Name in Plan]: number } = {
  free: planWeightFree, mdr: planWeightMdr, pro: planWeightPro, custom: planWeightCustom,
}

type PlanWeightsOptions = {
  readonly elapsedMs: () => number
  /** Reads the plan of a tenant; undefined for one that does not exist. */
  readonly readPlan: (tenant: TenantId) => Promise<Plan | undefined>
  /** Called when the plan of a tenant cannot be read. */
  readonly onUnreadable: (tenant: TenantId, error: unknown) => void
}

/**
 * The share of each tenant's work beside others, by its plan. Stages ask for it with each message, so it is known without a
 * wait: from the plan that was read last, or of the default plan until the first was read.
 */
export class PlanWeights {
  readonly #options: PlanWeightsOptions
  readonly #known = new Map<TenantId, { weight: number; readMs: number }>()

  constructor(options: PlanWeightsOptions) {
    this.#options = options
  }

  readonly get = (tenant: TenantId): number => {
    const nowMs = this.#options.elapsedMs()
    const known = this.#known.get(tenant)
    if (known !== undefined && nowMs - known.readMs < limits.fairness.planRefreshMs) return known.weight
    const entry = { weight: known?.weight ?? weights[settingDefaults.plan], readMs: nowMs }
    this.#known.set(tenant, entry)
    void this.#refresh(tenant, entry)
    return entry.weight
  }

  /** A plan that cannot be read stays what it was, and is read again later: stages must not fail because of it. */
  async #refresh(tenant: TenantId, entry: { weight: number }): Promise<void> {
    try {
      const plan = await this.#options.readPlan(tenant)
      if (plan !== undefined) entry.weight = weights[plan]
    } catch (error) {
      this.#options.onUnreadable(tenant, error)
    }
  }
}
