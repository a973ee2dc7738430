import { getAddressPrefix } from '@tripline/common/address-prefix'

/** The part of a socket that the limits use. */
export type StreamSocket = {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly destroy: () => unknown
  readonly once: (event: 'close', listener: () => void) => unknown
}

/** How many connections a listener may have, and one address of its senders. */
export type ConnectionBounds = { readonly max: number; readonly perAddressMax: number }

/**
 * The connections of all listeners of syslog. A connection beyond a bound takes the place of the one that sent longest
 * ago: of the same address, of the same listener, or of the listener that has most of them. So connections that do nothing, of
 * one sender or one tenant, keep out no other.
 */
export class StreamConnections {
  readonly #max: number
  readonly #listeners = new Set<ListenerConnections>()

  constructor(max: number) {
    this.#max = max
  }

  openListener(bounds: ConnectionBounds): ListenerConnections {
    const listener = new ListenerConnections(bounds, () => this.#makeRoom())
    this.#listeners.add(listener)
    return listener
  }

  closeListener(listener: ListenerConnections): void {
    this.#listeners.delete(listener)
  }

  #makeRoom(): void {
    const listeners = [...this.#listeners].sort((a, b) => b.count - a.count)
    const count = listeners.reduce((sum, listener) => sum + listener.count, 0)
    if (count >= this.#max) listeners[0]?.evictIdlest()
  }
}

/** A connection below TLS, if there is one. */
type Connection = { readonly socket: StreamSocket; readonly address: string }

/** The connections of one listener, in all and by address; the one that sent longest ago first. */
export class ListenerConnections {
  readonly #bounds: ConnectionBounds
  readonly #makeRoomBeside: () => void
  /** By peer: the socket of TLS and the one below it have the same. */
  readonly #connections = new Map<string, Connection>()
  /** The peers of each address. */
  readonly #peers = new Map<string, Set<string>>()

  constructor(bounds: ConnectionBounds, makeRoomBeside: () => void) {
    this.#bounds = bounds
    this.#makeRoomBeside = makeRoomBeside
  }

  get count(): number {
    return this.#connections.size
  }

  /** Admits a connection from its first packet on: a handshake of TLS that does not end is one, too. */
  add(socket: StreamSocket): void {
    const peer = getPeer(socket)
    const address = getAddressPrefix(socket.remoteAddress ?? '')
    const { max, perAddressMax } = this.#bounds
    const beside = this.#peers.get(address)
    if (beside !== undefined && beside.size >= perAddressMax) this.#evict(beside)
    if (this.count >= max) this.evictIdlest()
    this.#makeRoomBeside()
    this.#insert(peer, { socket, address })
    socket.once('close', () => {
      // A port may be used again at once.
      if (this.#connections.get(peer)?.socket === socket) this.#remove(peer)
    })
  }

  /** Records that a connection has sent something. */
  touch(socket: StreamSocket): void {
    const peer = getPeer(socket)
    const connection = this.#connections.get(peer)
    if (connection === undefined) return
    this.#remove(peer)
    this.#insert(peer, connection)
  }

  evictIdlest(): void {
    this.#evict(this.#connections.keys())
  }

  #evict(peers: Iterable<string>): void {
    const [peer = ''] = peers
    const idlest = this.#connections.get(peer)
    // Removed here, not when it reports its close: the next connection may come before.
    this.#remove(peer)
    idlest?.socket.destroy()
  }

  #insert(peer: string, connection: Connection): void {
    this.#connections.set(peer, connection)
    const group = this.#peers.get(connection.address) ?? new Set()
    this.#peers.set(connection.address, group.add(peer))
  }

  #remove(peer: string): void {
    const { address = '' } = this.#connections.get(peer) ?? {}
    this.#connections.delete(peer)
    const group = this.#peers.get(address)
    group?.delete(peer)
    if (group?.size === 0) this.#peers.delete(address)
  }
}

function getPeer({ remoteAddress, remotePort }: StreamSocket): string {
  return `${remoteAddress} ${remotePort}`
}
