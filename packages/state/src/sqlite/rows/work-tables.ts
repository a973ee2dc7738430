import type { StoredBacktest } from '@tripline/model/backtest'
import type { StoredRulePipeline } from '@tripline/model/rule'
import type { Flag } from '../query/dialect.ts'

/** The tables of what users keep and undo, part of `Tables`. */
export type RuleVersionRow = {
  readonly tenantId: string
  readonly ruleId: string
  readonly version: number
  readonly definition: string
  readonly savedAt: number
  readonly savedBy: string | null
}

export type BulkChangeRow = {
  readonly tenantId: string
  readonly id: string
  readonly part: number
  readonly userId: string
  readonly expiresAt: number
  /** JSON. */
  readonly before: string
}

export type UserPreferencesRow = {
  readonly tenantId: string
  readonly userId: string
  /** JSON. */
  readonly content: string
  readonly version: number
  readonly updatedAt: number
}

export type SavedViewRow = {
  readonly tenantId: string
  readonly id: string
  readonly page: string
  readonly name: string
  readonly query: string
  readonly isShared: Flag
  readonly ownerId: string
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type BacktestRow = Omit<StoredBacktest, 'ruleIds' | 'exceptions' | 'isCompared' | 'from' | 'to' | 'finishedAt'> & {
  readonly tenantId: string
  /** JSON lists. */
  readonly ruleIds: string
  readonly exceptions: string
  readonly isCompared: Flag
  readonly fromAt: number
  readonly toAt: number
  /** 0 while it is unfinished. */
  readonly finishedAt: number
  readonly isUnfinished: Flag
}

export type RulePipelineRow = Omit<StoredRulePipeline, 'isEnabled'> & { readonly tenantId: string; readonly isEnabled: Flag }
