import { decodeUtf8 } from '@tripline/common/decode-utf8'
import type { Runtime } from '@tripline/common/runtime'
import { SerialQueue } from '@tripline/common/serial-queue'
import { parseEvent } from '@tripline/engine'
import { normalizeEvent } from '@tripline/engine/evaluate'
import type { SubdomainSighting } from '@tripline/model/enrichment/subdomain'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { DirectoryUserStore, UserSighting } from '@tripline/state/ports/enrichment/directory-user-store'
import type { SubdomainStore } from '@tripline/state/ports/enrichment/subdomain-store'
import type { FairTurns } from '../fairness/fair-turns.ts'
import { TurnSlices } from '../fairness/turn-slices.ts'
import { limits } from '../limits.ts'
import type { AcceptedEvent } from '../stages/store-events.ts'
import { readSubdomains, readUser } from './read-names.ts'

type NameCollectorOptions = {
  readonly subdomains: Pick<SubdomainStore, 'observe'>
  readonly directoryUsers: Pick<DirectoryUserStore, 'observe'>
  /** The own domains of a tenant, in lower case. */
  readonly loadOwnDomains: (tenant: TenantId) => Promise<readonly string[]>
  /** Shares the event loop with other work. */
  readonly turns: Pick<FairTurns, 'next' | 'elapsedMs'>
  readonly now: () => number
  readonly newId: () => string
}

/** What a tenant's events told since the last flush. */
type TenantNames = {
  readonly users: Map<string, UserSighting>
  readonly subdomains: Map<string, SubdomainSighting>
  /** When the same users, and the same names, were last read. */
  readonly readAt: Map<string, number>
  /** Stored events that were not read yet, and their bytes. */
  queue: AcceptedEvent[]
  queuedBytes: number
  /** The events that may still be read whole in this interval. */
  budget: number
}

/** The own domains of a tenant, and what finds members whose value begins with a name under one. */
type OwnDomains = { readonly names: readonly string[]; readonly mention: RegExp | undefined }

/** The members in which events name their users, whole: enough to tell whether the same was read before. */
const userMembers = new RegExp(
  String.raw`"(?:[\w.-]{0,40}[Uu]ser[\w.-]{0,40}|acct|[Cc]aller|identity|actor[\w.]{0,40}|AccountName|usrName)" ?: ?` +
  String.raw`(?:\{[^{}]{0,300}\}|"[^"]{1,255}")`,
  'g',
)

/**
 * Collects who and which own host names stored events tell of, in memory, and reads and writes it in batches. Most events name
 * users and hosts that were seen minutes ago: those cost one search of their bytes. The others are parsed, as many as a
 * tenant's budget allows; a name that was passed over is seen with a later event.
 */
export class NameCollector {
  readonly #options: NameCollectorOptions
  readonly #tenants = new Map<TenantId, TenantNames>()
  readonly #flushes = new SerialQueue()
  #skippedCount = 0

  constructor(options: NameCollectorOptions) {
    this.#options = options
  }

  /** Events that were not read because their tenant had used up its budget, and names for which there was no space. */
  get skippedCount(): number {
    return this.#skippedCount
  }

  /** Takes events once they are stored; beyond a bound they are passed over. */
  add(tenant: TenantId, events: readonly AcceptedEvent[]): void {
    const state = this.#tenants.get(tenant) ?? createState()
    this.#tenants.set(tenant, state)
    const { queuedMax, queuedBytesMax } = limits.observations
    for (const event of events) {
      if (state.queue.length >= queuedMax || state.queuedBytes + event.bytes.length > queuedBytesMax) {
        this.#skippedCount++
        continue
      }
      state.queue.push(event)
      state.queuedBytes += event.bytes.length
    }
  }

  /**
   * Reads what was taken, in turns of its tenant, and writes what it tells; call it periodically and before closing. What cannot
   * be written waits for the next time. A tenant without events since then is forgotten. Once it resolves, what was taken before
   * the call is written, also where an earlier call was at it.
   */
  flush(): Promise<void> {
    return this.#flushes.run(() => this.#flush())
  }

  async #flush(): Promise<void> {
    const { subdomains, directoryUsers, loadOwnDomains, turns, now } = this.#options
    for (const [tenant, state] of this.#tenants) {
      const { queue, users, subdomains: names } = state
      if (queue.length + users.size + names.size === 0) {
        this.#tenants.delete(tenant)
        continue
      }
      state.queue = []
      state.queuedBytes = 0
      state.budget = limits.observations.readMax
      const domains = prepareDomains(await loadOwnDomains(tenant))
      const slices = new TurnSlices(turns, tenant)
      for (const event of queue) {
        await slices.yieldIfDue()
        this.#read(state, event, domains)
      }
      const next = (): Promise<void> => slices.yieldIfDue()
      await write(users, next, (sightings) => directoryUsers.observe(tenant, sightings, { at: now() }))
      await write(names, next, (sightings) => subdomains.observe(tenant, sightings, { at: now() }))
    }
  }

  #read(state: TenantNames, { bytes, occurredAt, arrival: { receivedAt } }: AcceptedEvent, { names, mention }: OwnDomains): void {
    // A clock that is ahead must not make names seen in the future.
    const at = Math.min(occurredAt, receivedAt)
    const searchedBytes = Math.min(bytes.byteLength, limits.observations.searchedBytesMax)
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, searchedBytes).toString('latin1')
    const members = text.match(userMembers)?.slice(0, 8).join()
    const isNewUser = members !== undefined && this.#isUnread(state, members, at)
    const hosts = (mention === undefined ? null : text.match(mention))?.map((host) => host.toLowerCase()) ?? []
    const isNewHost = hosts.some((host) => this.#isUnread(state, host, at))
    if (!isNewUser && !isNewHost) return
    if (state.budget === 0) {
      this.#skippedCount++
      return
    }
    state.budget--
    if (isNewUser) remember(state, members, at)
    for (const host of hosts) remember(state, host, at)
    const parsed = parseEvent(decodeUtf8(bytes).trim())
    if ('reason' in parsed) return
    const normalized = normalizeEvent(parsed.event, 'auto')
    const user = isNewUser ? readUser(normalized) : undefined
    if (user !== undefined) this.#put(state.users, user.name, { ...user, at })
    if (!isNewHost) return
    for (const facts of readSubdomains(normalized, names)) this.#put(state.subdomains, `${facts.source} ${facts.name}`, { ...facts, at })
  }

  #isUnread({ readAt }: TenantNames, key: string, at: number): boolean {
    return at - (readAt.get(key) ?? -Infinity) >= limits.observations.seenAgainMs
  }

  #put<Facts extends { readonly at: number }>(
    waiting: Map<string, Facts & { readonly id: string }>, key: string, facts: Facts,
  ): void {
    const known = waiting.get(key)
    if (known === undefined && waiting.size >= limits.observations.waitingMax) {
      this.#skippedCount++
      return
    }
    waiting.set(key, { ...facts, id: known?.id ?? this.#options.newId(), at: Math.max(known?.at ?? facts.at, facts.at) })
  }
}

function createState(): TenantNames {
  return { users: new Map(), subdomains: new Map(), readAt: new Map(), queue: [], queuedBytes: 0, budget: 0 }
}

/** Finds members whose value begins with a name under one of the domains, or with an address of one. */
function prepareDomains(names: readonly string[]): OwnDomains {
  if (names.length === 0) return { names, mention: undefined }
  const anyDomain = names.map((name) => name.replaceAll('.', String.raw`\.`)).join('|')
  const start = String.raw`"[^"]{1,64}" ?: ?\[?"(?:[a-z]{1,10}:\/\/)?`
  return { names, mention: new RegExp(`${start}(?:[a-z0-9_-]{1,63}\\.){0,20}(?:${anyDomain})\\.?(?=["\\/:])`, 'gi') }
}

function remember({ readAt }: TenantNames, key: string, at: number): void {
  readAt.delete(key)
  readAt.set(key, at)
  if (readAt.size > limits.observations.rememberedMax) readAt.delete(readAt.keys().next().value!)
}

/** Writes what waits in parts, each in a turn, and forgets what was written unless it changed meanwhile. */
async function write<Sighting>(
  waiting: Map<string, Sighting>, takeTurn: () => Promise<void>, observe: (sightings: readonly Sighting[]) => Promise<void>,
): Promise<void> {
  const all = [...waiting]
  for (let start = 0; start < all.length; start += limits.observations.observedAtOnceMax) {
    await takeTurn()
    const part = all.slice(start, start + limits.observations.observedAtOnceMax)
    await observe(part.map(([, sighting]) => sighting))
    for (const [key, sighting] of part) if (waiting.get(key) === sighting) waiting.delete(key)
  }
}

/** Opens the collector of a server. */
export function openNameCollector({ state, loadOwnDomains, io, turns }: {
  readonly state: Pick<NameCollectorOptions, 'directoryUsers' | 'subdomains'>
  readonly loadOwnDomains: NameCollectorOptions['loadOwnDomains']
  readonly io: Pick<Runtime, 'now' | 'randomBytes'>
  readonly turns: NameCollectorOptions['turns']
}): NameCollector {
  const { directoryUsers, subdomains } = state
  return new NameCollector({
    directoryUsers, subdomains, loadOwnDomains, turns, now: io.now, newId: () => createUuidV7(io.now(), io.randomBytes),
  })
}
