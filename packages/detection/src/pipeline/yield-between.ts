import { chunkBySize } from '@tripline/common/chunk-by-size'
import type { TenantId } from '@tripline/model/tenant'
import type { Message } from '@tripline/storage/bus/bus'
import { limits } from '../limits.ts'

/** How a stage shares the event loop: it waits for its turn, and estimates what an event of a tenant takes. */
export type StageTurns = {
  /** Resolves with the milliseconds for which the stage may work for these tenants. */
  readonly takeTurn: (tenants: readonly TenantId[]) => Promise<number>
  readonly estimateMs: (tenant: TenantId) => number
}

/** Calls a function with slices of messages in order; each is a few milliseconds' worth and waits for its turn. */
export async function forEachSlice(
  { takeTurn, estimateMs }: StageTurns, messages: readonly Message[], work: (slice: readonly Message[]) => void,
): Promise<void> {
  const { turnEventsMax, turnBytesMax } = limits.pipeline
  const tenants = [...new Set(messages.map(({ tenant }) => tenant))]
  for (let start = 0; start < messages.length;) {
    const turnMs = await takeTurn(tenants)
    // A slice is full when its events are, its bytes or its estimated time.
    const bounds = { itemsMax: turnEventsMax, bytesMax: 1 }
    const getPart = ({ tenant, bytes }: Message): number => Math.max(bytes.length / turnBytesMax, estimateMs(tenant) / turnMs)
    const [slice = []] = chunkBySize(messages.slice(start), bounds, getPart)
    work(slice)
    start += slice.length
  }
}
