import { chunkBySize } from '@tripline/common/chunk-by-size'
import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { BusError } from '@tripline/storage/bus/bus'
import type { Bus } from '@tripline/storage/bus/bus'
import { isOutOfSpaceError, isResourceShortage } from '@tripline/storage/disk/file-system'
import type { FairTurns } from '../fairness/fair-turns.ts'
import { TurnSlices } from '../fairness/turn-slices.ts'
import { createBackpressureError, createNoSpaceError, createShareExceededError, createShortageError } from './backpressure-errors.ts'
import { shortenId } from '../stages/dedup-window.ts'
import { printMessage } from '../stages/event-message.ts'
import type { RawEvent } from '../stages/event-message.ts'
import { limits } from '../limits.ts'
import type { AnnouncedBody } from './pipeline.ts'
import type { QueuedWork, WorkAdmission } from './work-admission.ts'

type EventIntakeOptions = {
  readonly publish: Bus['publish']
  readonly tenants: Pick<StateStore['tenants'], 'get'>
  readonly now: Runtime['now']
  readonly turns: Pick<FairTurns, 'next' | 'elapsedMs'>
  readonly admission: Pick<WorkAdmission, 'admit' | 'estimateEvents' | 'isMuch' | 'recordBody'>
  /** The accepted events of each known tenant: those that were on the topic before, and those accepted since. */
  readonly accepted: Map<TenantId, number>
  /** The accepted events of a tenant that are not evaluated yet, and bytes of those that are not stored yet. */
  readonly getQueued: (tenant: TenantId) => QueuedWork
  /** Called when a tenant sends more than its share, or at once as much as takes long. */
  readonly onMuchWork: (tenant: TenantId) => void
  /** Called when events are rejected because the disk is full or read-only. */
  readonly onDiskFull: () => void
  /** Whether the disk has space to spare: without, no event is accepted, so that what is left is for the rest of the server. */
  readonly hasSpace: () => boolean
  /** Called when the bus has failed. */
  readonly onFailure: (error: BusError) => void
}

/** Accepts the events of tenants: publishes them to `raw-events`, and counts those that are durable. */
export class EventIntake {
  readonly #options: EventIntakeOptions
  /** Events of each tenant that are being published and not counted as accepted. */
  readonly #publishing = new Map<TenantId, number>()
  /** Events, as estimated, of bodies that were admitted and are being read. */
  readonly #announced = new Map<TenantId, number>()

  constructor(options: EventIntakeOptions) {
    this.#options = options
  }

  /** As `Pipeline.ingest`. */
  async accept(tenant: TenantId, events: readonly RawEvent[]): Promise<{ readonly lastOffset: number }> {
    const { accepted } = this.#options
    if (!accepted.has(tenant)) await this.#checkTenant(tenant)
    this.#checkAdmission(tenant, this.#publishing.get(tenant) ?? 0)
    addTo(this.#publishing, tenant, events.length)
    try {
      return await this.#publish(tenant, events)
    } finally {
      addTo(this.#publishing, tenant, -events.length)
    }
  }

  /** As `Pipeline.announceBody`. */
  announceBody(tenant: TenantId, byteCount: number | undefined): AnnouncedBody {
    const { admission, getQueued, onMuchWork } = this.#options
    this.#checkAdmission(tenant, this.#countUnderWay(tenant))
    let announced = admission.estimateEvents(tenant, byteCount ?? limits.pipeline.unknownBodyBytes)
    addTo(this.#announced, tenant, announced)
    // Before its first slice: a flood must not come first until its work was measured.
    if (admission.isMuch(tenant, getQueued(tenant).eventCount + this.#countUnderWay(tenant))) onMuchWork(tenant)
    const end = (): void => {
      addTo(this.#announced, tenant, -announced)
      announced = 0
    }
    return {
      end,
      wasRead: (body) => {
        end()
        admission.recordBody(tenant, body)
      },
    }
  }

  /**
   * @throws AppError RATE_LIMITED when a tenant has queued its share of the work, requests under way included; UNAVAILABLE while the
   *   disk has no space to spare.
   */
  #checkAdmission(tenant: TenantId, underWay: number): void {
    const { admission, getQueued, hasSpace } = this.#options
    if (!hasSpace()) throw createNoSpaceError()
    const { eventCount, storeBytes } = getQueued(tenant)
    if (admission.admit(tenant, { eventCount: eventCount + underWay, storeBytes })) return
    this.#options.onMuchWork(tenant)
    throw createShareExceededError()
  }

  #countUnderWay(tenant: TenantId): number {
    return (this.#announced.get(tenant) ?? 0) + (this.#publishing.get(tenant) ?? 0)
  }

  async #publish(tenant: TenantId, events: readonly RawEvent[]): Promise<{ readonly lastOffset: number }> {
    const { accepted, now, publish, turns } = this.#options
    const receivedAt = now()
    const messages: Uint8Array[] = []
    // The caller has decoded the events in a turn.
    const slices = new TurnSlices(turns, tenant).continueTurn()
    for (const { bytes, id, ...origin } of events) {
      await slices.yieldIfDue()
      messages.push(printMessage({ receivedAt, ...origin, ...(id !== undefined && { id: shortenId(id) }) }, bytes))
    }
    let lastOffset = -1
    const { publishMessagesMax: itemsMax, publishBytesMax: bytesMax } = limits.bus
    for (const together of chunkBySize(messages, { itemsMax, bytesMax }, ({ length }) => length)) {
      try {
        ({ lastOffset } = await publish('raw-events', tenant, together))
      } catch (error) {
        throw this.#toRefusal(error)
      }
      accepted.set(tenant, (accepted.get(tenant) ?? 0) + together.length)
    }
    return { lastOffset }
  }

  #toRefusal(error: unknown): unknown {
    if (!(error instanceof BusError)) return error
    if (error.code === 'FAILED' || error.code === 'UNKNOWN') this.#options.onFailure(error)
    if (isOutOfSpaceError(error.cause)) this.#options.onDiskFull()
    return isResourceShortage(error.cause) ? createShortageError() : createBackpressureError(error.code)
  }

  async #checkTenant(tenant: TenantId): Promise<void> {
    const { tenants, accepted } = this.#options
    const isThere = (await tenants.get(tenant)) !== undefined
    if (!isThere) throw new AppError('FORBIDDEN', 'this tenant does not exist')
    if (!accepted.has(tenant)) accepted.set(tenant, 0)
  }
}

/** Adds to a count, and removes it where nothing is left. */
function addTo(counts: Map<TenantId, number>, tenant: TenantId, count: number): void {
  const sum = (counts.get(tenant) ?? 0) + count
  // Sums of estimates are not exact.
  if (sum < 1e-6) counts.delete(tenant)
  else counts.set(tenant, sum)
}
