import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Runtime } from '@tripline/common/runtime'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../../limits.ts'
import type { FeedItem } from './feed-item.ts'

/** What storing indicators of feeds needs of the server. */
export type FeedDeps = {
  /** Stores entries of one source and returns how many became new indicators. The same entries again change nothing. */
  readonly storeItems: (tenant: TenantId, source: string, items: readonly FeedItem[]) => Promise<number>
}

type FeedDepsOptions = {
  readonly state: Pick<StateStore, 'indicators'>
  /** Forgets what it looked up of a tenant. */
  readonly enricher: { readonly invalidate: (tenant: TenantId) => void }
  readonly io: Pick<Runtime, 'now' | 'randomBytes'>
}

export function createFeedDeps(deps: FeedDepsOptions): FeedDeps {
  return {
    async storeItems(tenant, source, items) {
      const { transactionRowsMax } = limits.imports
      let createdCount = 0
      for (let start = 0; start < items.length; start += transactionRowsMax) {
        createdCount += await storePart(deps, { tenant, source }, items.slice(start, start + transactionRowsMax))
        await othersFirst()
      }
      return createdCount
    },
  }
}

async function storePart(
  { state: { indicators }, enricher, io }: FeedDepsOptions,
  { tenant, source }: { readonly tenant: TenantId; readonly source: string }, items: readonly FeedItem[],
): Promise<number> {
  const at = io.now()
  const keyOf = ({ type, value }: { readonly type: string; readonly value: string }): string => `${type} ${value}`
  const ended = items.flatMap((item) => ('ended' in item ? [item.ended] : []))
  // What is no longer valid ends where it is known, and is not stored where it is not.
  const known = ended.length === 0 ? [] : (await indicators.find(tenant, ended)).filter((found) => found.source === source)
  const valid = new Set(known.filter(({ validUntil }) => validUntil === undefined || validUntil > at).map(keyOf))
  const facts = items.flatMap((item) => {
    if ('indicator' in item) return [{ ...item.indicator, source }]
    return 'ended' in item && valid.has(keyOf(item.ended)) ? [{ ...item.ended, source, validUntil: at }] : []
  })
  if (facts.length === 0) return 0
  const stated = facts.map((stated) => ({ id: createUuidV7(at, io.randomBytes), facts: stated }))
  const outcomes = await indicators.upsert(tenant, stated, at)
  if (outcomes.some((outcome) => outcome !== 'unchanged')) enricher.invalidate(tenant)
  return outcomes.filter((outcome) => outcome === 'created').length
}
