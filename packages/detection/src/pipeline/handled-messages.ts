import type { TenantId } from '@tripline/model/tenant'
import type { ConsumerStats, Message } from '@tripline/storage/bus/bus'

/** Messages of one tenant with consecutive offsets; the end is exclusive. */
type Run = { readonly tenant: TenantId; readonly start: number; end: number }

/**
 * The messages that a stage has handled and its consumer has not committed: a commit waits for a checkpoint or for messages
 * in between, but their work is done. The bus counts what is not committed, so a lag is computed here.
 */
export class HandledMessages {
  #runs: Run[] = []

  /** Records handled messages, in any order; each once. */
  add(messages: readonly Pick<Message, 'tenant' | 'offset'>[]): void {
    let last = this.#runs.at(-1)
    for (const { tenant, offset } of messages) {
      if (last?.tenant === tenant && last.end === offset) last.end++
      else this.#runs.push((last = { tenant, start: offset, end: offset + 1 }))
    }
  }

  /** The number of messages handled so far, and those of each tenant that are not; tenants without any are left out. */
  getProgress({ committedOffset, lag }: Pick<ConsumerStats, 'committedOffset' | 'lag'>): {
    readonly handledCount: number
    readonly lag: ReadonlyMap<TenantId, number>
  } {
    this.#runs = this.#runs.filter(({ end }) => end > committedOffset)
    const left = new Map(lag)
    let handledCount = committedOffset
    for (const { tenant, start, end } of this.#runs) {
      const count = end - Math.max(start, committedOffset)
      handledCount += count
      left.set(tenant, Math.max(0, (left.get(tenant) ?? 0) - count))
    }
    for (const [tenant, count] of left) if (count === 0) left.delete(tenant)
    return { handledCount, lag: left }
  }
}
