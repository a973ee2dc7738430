import { settingDefaults } from '@tripline/model/tenant-settings'
import type { Plan } from '@tripline/model/tenant-settings'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { PlanWeights } from './plan-weights.ts'

const { planWeightCustom, planWeightFree, planWeightPro, planRefreshMs } = limits.fairness

test('a tenant has the weight of its plan once that was read, and of a changed plan after a while', async () => {
  let nowMs = 0
  let plan: Plan | Error | undefined = 'free'
  const unreadable: string[] = []
  const weights = new PlanWeights({
    elapsedMs: () => nowMs,
    readPlan: async () => {
      if (plan instanceof Error) throw plan
      return plan
    },
    onUnreadable: (tenant, error) => unreadable.push(`${tenant}: ${String(error)}`),
  })
  const getLater = async (): Promise<number> => {
    weights.get('a')
    await new Promise((resolve) => setImmediate(resolve))
    return weights.get('a')
  }
  expect([settingDefaults.plan, weights.get('a')]).toEqual(['custom', planWeightCustom])
  expect(await getLater()).toBe(planWeightFree)
  plan = 'pro'
  expect(await getLater()).toBe(planWeightFree)
  nowMs = planRefreshMs
  expect(await getLater()).toBe(planWeightPro)
  for (const unknown of [new Error('the database is locked'), undefined]) {
    plan = unknown
    nowMs += planRefreshMs
    expect(await getLater()).toBe(planWeightPro)
  }
  expect(unreadable).toEqual(['a: Error: the database is locked'])
})
