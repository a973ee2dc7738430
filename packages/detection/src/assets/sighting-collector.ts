import { decodeUtf8 } from '@tripline/common/decode-utf8'
import type { Runtime } from '@tripline/common/runtime'
import { SerialQueue } from '@tripline/common/serial-queue'
import { parseEvent } from '@tripline/engine'
import { normalizeEvent } from '@tripline/engine/evaluate'
import type { Sighting } from '@tripline/model/assets/sighting'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { AssetStore, ObservedAssets } from '@tripline/state/ports/assets/asset-store'
import type { FairTurns } from '../fairness/fair-turns.ts'
import { TurnSlices } from '../fairness/turn-slices.ts'
import { limits } from '../limits.ts'
import type { AcceptedEvent } from '../stages/store-events.ts'
import { readSightings } from './read-sightings.ts'
import type { MachineFacts } from './read-sightings.ts'

/** The key of events that bind an address or a user to a machine: each is read. */
const bindingKey = ''

type SightingCollectorOptions = {
  readonly assets: Pick<AssetStore, 'observe'>
  readonly now: () => number
  readonly newId: () => string
  /** Shares the event loop with other work. */
  readonly turns: Pick<FairTurns, 'next' | 'elapsedMs'>
  /** Called after assets of a tenant have changed. */
  readonly onObserved: (tenant: TenantId, observed: ObservedAssets) => void
}

/** What a tenant's events told since the last flush. */
type TenantSightings = {
  readonly waiting: Map<string, Sighting>
  /** The last event of the same machines that was read, by what it tells of them. */
  readonly lastRead: Map<string, ReadEvent>
  /** The events that may still be read whole in this interval. */
  budget: number
  /** Stored events that were not looked at yet, and their bytes. */
  readonly queue: AcceptedEvent[]
  queuedBytes: number
  /** Looks at them, in turns of the tenant; undefined while there are none. */
  work: Promise<void> | undefined
}

type ReadEvent = {
  readonly receivedAt: number
  /** The latest time of an event of these machines that was noted. */
  latestAt: number
  readonly facts: readonly MachineFacts[]
}

/** The fields in which events name their machine, with their texts: enough to tell whether the same was read before. */
const machineFields =
  /"(?:Computer(?:Name)?|computer_name|[Hh]ostname|HostName|host(?:_name|_ip)?|name|node|ip|device_name|MachineName)" ?: ?"[^"]{1,255}"/g
/** Signs of events that bind an address or a user to a machine. */
const bindingMarks = /\b4624\b|DHCPACK|assigned_addr|assigned_ip|MAC Address|Accepted (?:password|publickey|keyboard)|"authentication"/

/**
 * Collects what stored events tell of machines, in memory, and writes it in batches. Most events are of a machine that was
 * seen minutes ago: those cost one search of their bytes. The others are parsed, as many as a tenant's budget allows, so that
 * a flood of made-up names costs a bounded share of the time; a machine that was passed over is seen with a later event.
 */
export class SightingCollector {
  readonly #options: SightingCollectorOptions
  readonly #tenants = new Map<TenantId, TenantSightings>()
  readonly #flushes = new SerialQueue()
  #skippedCount = 0
  /** What is left of the budget of all tenants together. */
  #budget: number = limits.assets.readTotalMax

  constructor(options: SightingCollectorOptions) {
    this.#options = options
  }

  /** Events that were not read because their tenant had used up its budget, and sightings for which there was no space. */
  get skippedCount(): number {
    return this.#skippedCount
  }

  /**
   * Takes events once they are stored, and reads them in turns of their tenant. Beyond a bound they are passed over, so that
   * the queue takes a bounded memory and no stage waits for it.
   */
  add(tenant: TenantId, events: readonly AcceptedEvent[]): void {
    const state = this.#getState(tenant)
    const { queuedMax, queuedBytesMax } = limits.assets
    for (const event of events) {
      if (state.queue.length >= queuedMax || state.queuedBytes + event.bytes.length > queuedBytesMax) {
        this.#skippedCount++
        continue
      }
      state.queue.push(event)
      state.queuedBytes += event.bytes.length
    }
    if (state.work === undefined) this.#startReading(tenant, state)
  }

  #getState(tenant: TenantId): TenantSightings {
    const known = this.#tenants.get(tenant)
    if (known !== undefined) return known
    const state: TenantSightings = {
      waiting: new Map(), lastRead: new Map(), budget: limits.assets.readMax, queue: [], queuedBytes: 0, work: undefined,
    }
    this.#tenants.set(tenant, state)
    return state
  }

  #startReading(tenant: TenantId, state: TenantSightings): void {
    if (state.queue.length === 0) return
    state.work = this.#readQueued(tenant, state).finally(() => {
      state.work = undefined
      this.#startReading(tenant, state)
    })
  }

  /** Reads the events that are queued now, in turns. */
  async #readQueued(tenant: TenantId, state: TenantSightings): Promise<void> {
    const slices = new TurnSlices(this.#options.turns, tenant)
    for (const event of state.queue.splice(0)) {
      await slices.yieldIfDue()
      state.queuedBytes -= event.bytes.length
      this.#read(state, event)
    }
  }

  #read(state: TenantSightings, { bytes, occurredAt, arrival: { receivedAt } }: AcceptedEvent): void {
    const key = findMachineKey(bytes)
    if (key === undefined) return
    // A clock that is ahead must not bind addresses in the future.
    const at = Math.min(occurredAt, receivedAt)
    const last = key === bindingKey ? undefined : state.lastRead.get(key)
    if (last !== undefined && receivedAt - last.receivedAt < limits.assets.seenAgainMs) {
      this.#noteTime(state, last, at)
      return
    }
    if (state.budget === 0 || this.#budget === 0) {
      this.#skippedCount++
      return
    }
    state.budget--
    this.#budget--
    const facts = readMachines(bytes)
    for (const one of facts) this.#add(state, one, at)
    if (key === bindingKey) return
    state.lastRead.delete(key)
    state.lastRead.set(key, { receivedAt, latestAt: at, facts })
    if (state.lastRead.size > limits.assets.rememberedMax) state.lastRead.delete(state.lastRead.keys().next().value!)
  }

  /** Notes a later time of machines that were read already: events that arrive together may span hours, such as a history. */
  #noteTime(state: TenantSightings, last: ReadEvent, at: number): void {
    if (at - last.latestAt < limits.assets.seenAgainMs) return
    last.latestAt = at
    for (const facts of last.facts) this.#add(state, { ...facts, user: '' }, at)
  }

  /**
   * Writes what was collected; call it periodically and before closing. What cannot be written waits for the next time. Once it
   * resolves, what was taken before the call is written, also where an earlier call was at it.
   */
  flush(): Promise<void> {
    return this.#flushes.run(() => this.#flush())
  }

  async #flush(): Promise<void> {
    for (const state of this.#tenants.values()) {
      // What is read now, and what has been queued behind it.
      await state.work
      await state.work
    }
    this.#budget = limits.assets.readTotalMax
    for (const [tenant, state] of this.#tenants) {
      state.budget = limits.assets.readMax
      await this.#write(tenant, state)
      if (state.lastRead.size === 0 && state.work === undefined) this.#tenants.delete(tenant)
    }
  }

  /** Writes what waits for a tenant, in turns of a few sightings. */
  async #write(tenant: TenantId, { waiting }: TenantSightings): Promise<void> {
    const { assets, now, onObserved, turns } = this.#options
    const all = [...waiting]
    const slices = new TurnSlices(turns, tenant)
    let hasCreated = false
    for (let end = 0; end < all.length;) {
      await slices.yieldIfDue()
      const part = all.slice(end, (end += limits.assets.observedAtOnceMax))
      const evicts = end < all.length ? 'later' : hasCreated ? 'now' : undefined
      const terms = { at: now(), ...(evicts !== undefined && { evicts } as const) }
      const observed = await assets.observe(tenant, part.map(([, sighting]) => sighting), terms)
      hasCreated ||= observed.createdCount > 0
      onObserved(tenant, observed)
      for (const [key, sighting] of part) if (waiting.get(key) === sighting) waiting.delete(key)
    }
  }

  #add({ waiting }: TenantSightings, facts: MachineFacts, at: number): void {
    const { source, hostname, ipAddresses, macAddresses, isSender, user } = facts
    const key = JSON.stringify([source, isSender, hostname, ipAddresses, macAddresses])
    const known = waiting.get(key)
    if (known === undefined && waiting.size >= limits.assets.waitingMax) {
      this.#skippedCount++
      return
    }
    const logons = new Map(known?.logons)
    if (user !== '' && (logons.has(user) || logons.size < limits.assets.usersMax)) logons.set(user, (logons.get(user) ?? 0) + 1)
    const latestAt = Math.max(known?.at ?? at, at)
    waiting.set(key, {
      id: known?.id ?? this.#options.newId(), at: latestAt, source, identifiers: [], isInventory: false, takesAddresses: source === 'dhcp',
      logons, facts: { hostname, ipAddresses, macAddresses, ...(isSender && { lastLogAt: latestAt }) },
    })
  }
}

/** The machines that an event names, as a text to compare; undefined if it tells of none. */
function findMachineKey(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, limits.assets.searchedBytesMax)).toString('latin1')
  return bindingMarks.test(text) ? bindingKey : text.match(machineFields)?.slice(0, 8).join()
}

function readMachines(bytes: Uint8Array): readonly MachineFacts[] {
  const parsed = parseEvent(decodeUtf8(bytes).trim())
  return 'reason' in parsed ? [] : readSightings(normalizeEvent(parsed.event, 'auto'))
}

/** Opens the collector of a server. */
export function openSightingCollector(
  { state, enricher, io, turns }: {
    readonly state: { readonly assets: AssetStore }
    /** Forgets what it looked up of a tenant. */
    readonly enricher: { readonly invalidate: (tenant: TenantId) => void }
    readonly io: Pick<Runtime, 'now' | 'randomBytes'>
    readonly turns: SightingCollectorOptions['turns']
  },
): SightingCollector {
  return new SightingCollector({
    assets: state.assets, now: io.now, turns, newId: () => createUuidV7(io.now(), io.randomBytes),
    onObserved: (tenant, { createdCount, mergedCount }) => {
      if (createdCount + mergedCount > 0) enricher.invalidate(tenant)
    },
  })
}
