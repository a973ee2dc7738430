import { chunkBySize } from '@tripline/common/chunk-by-size'
import type { Message } from '@tripline/storage/bus/bus'
import type { TenantId } from '../../model/tenant.ts'
import { limits } from '../../limits.ts'

/** How a stage shares the event loop: it waits for its turn, and estimates what an event of a tenant takes. */
export type StageTurns = {
  readonly takeTurn: () => Promise<void>
  readonly estimateMs: (tenant: TenantId) => number
}

/** Calls a function with slices of messages in order; each is a few milliseconds' worth and waits for its turn. */
export async function forEachSlice(
  { takeTurn, estimateMs }: StageTurns, messages: readonly Message[], work: (slice: readonly Message[]) => void,
): Promise<void> {
  const { turnEventsMax, turnBytesMax } = limits.pipeline
  const { turnMs } = limits.fairness
  // A slice is full when its events, bytes and estimated time together are.
  const bounds = { itemsMax: turnEventsMax, bytesMax: 1 }
  const getPart = ({ tenant, bytes }: Message): number => bytes.length / turnBytesMax + estimateMs(tenant) / turnMs
  for (const slice of chunkBySize(messages, bounds, getPart)) {
    await takeTurn()
    work(slice)
  }
}
