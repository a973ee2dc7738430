/** The part of a socket that the limiter uses. */
export type LimitedSocket = {
  readonly destroy: () => unknown
  readonly once: (event: 'close', listener: () => void) => unknown
}

/** Which limit is reached: that of all connections, or that of one address. */
export type ConnectionLimit = 'all' | 'address'

/** The state of a connection that was closed for a new one: it never sent a request, or it was kept after its last one. */
type WaitingState = 'silent' | 'idle'

type ConnectionLimiterOptions = {
  /** Connections in all, and from one address prefix. */
  readonly max: number
  readonly perAddressMax: number
  /** Share of `max` above which connections are no longer kept alive. */
  readonly crowdedShare: number
  readonly onRefused: (limit: ConnectionLimit) => void
  readonly onEvicted: (state: WaitingState) => void
}

type Connection = { readonly address: string | undefined; requestCount: number; state: WaitingState }

/** The connections of one address; `waiting` holds those without a request, in the order in which they began to wait. */
type AddressGroup = { count: number; readonly waiting: Set<LimitedSocket> }

/**
 * Limits open connections, in all and from one address. At a limit it closes the connection that has waited for longest
 * without a request, and refuses the new one only if all have requests in work. So connections that do nothing, however
 * many, keep out no client that sends its request at once.
 */
export class ConnectionLimiter {
  readonly #options: ConnectionLimiterOptions
  readonly #connections = new Map<LimitedSocket, Connection>()
  readonly #waiting = new Set<LimitedSocket>()
  readonly #groups = new Map<string, AddressGroup>()

  constructor(options: ConnectionLimiterOptions) {
    this.#options = options
  }

  /**
   * Admits a connection, or returns the limit for which it must be refused. `address` is the prefix that counts as one
   * address; undefined for a connection that counts in all alone, such as that of a trusted proxy.
   */
  admit(socket: LimitedSocket, address: string | undefined): ConnectionLimit | undefined {
    const limit = this.#makeRoom(address)
    if (limit !== undefined) {
      this.#options.onRefused(limit)
      return limit
    }
    this.#connections.set(socket, { address, requestCount: 0, state: 'silent' })
    if (address !== undefined) {
      const group = this.#groups.get(address) ?? { count: 0, waiting: new Set() }
      group.count++
      this.#groups.set(address, group)
    }
    this.#wait(socket, address)
    socket.once('close', () => this.#remove(socket))
    return undefined
  }

  /** Records that a request of the connection has begun: it is not closed for others until all its requests have ended. */
  beginRequest(socket: LimitedSocket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    connection.requestCount++
    connection.state = 'idle'
    this.#stopWaiting(socket, connection.address)
  }

  endRequest(socket: LimitedSocket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    connection.requestCount--
    if (connection.requestCount === 0) this.#wait(socket, connection.address)
  }

  /** Whether so many connections are open that clients should not keep theirs. */
  get isCrowded(): boolean {
    return this.#connections.size > this.#options.max * this.#options.crowdedShare
  }

  /** Whether a connection is open that waits for its next request. */
  get hasIdle(): boolean {
    return [...this.#waiting].some((socket) => this.#connections.get(socket)?.state === 'idle')
  }

  /** Closes a waiting connection for each limit that is reached; returns the limit for which none waits. */
  #makeRoom(address: string | undefined): ConnectionLimit | undefined {
    const { max, perAddressMax } = this.#options
    const group = address === undefined ? undefined : this.#groups.get(address)
    if (group !== undefined && group.count >= perAddressMax && !this.#evictOldest(group.waiting)) return 'address'
    return this.#connections.size >= max && !this.#evictOldest(this.#waiting) ? 'all' : undefined
  }

  #evictOldest(waiting: ReadonlySet<LimitedSocket>): boolean {
    const [socket] = waiting
    const connection = socket && this.#connections.get(socket)
    if (socket === undefined || connection === undefined) return false
    // Removed here, not when it reports its close: the next connection may come before.
    this.#remove(socket)
    socket.destroy()
    this.#options.onEvicted(connection.state)
    return true
  }

  #wait(socket: LimitedSocket, address: string | undefined): void {
    this.#waiting.add(socket)
    if (address !== undefined) this.#groups.get(address)?.waiting.add(socket)
  }

  #stopWaiting(socket: LimitedSocket, address: string | undefined): void {
    this.#waiting.delete(socket)
    if (address !== undefined) this.#groups.get(address)?.waiting.delete(socket)
  }

  #remove(socket: LimitedSocket): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) return
    const { address } = connection
    this.#connections.delete(socket)
    this.#stopWaiting(socket, address)
    const group = address === undefined ? undefined : this.#groups.get(address)
    if (address === undefined || group === undefined) return
    group.count--
    if (group.count === 0) this.#groups.delete(address)
  }
}
