import { Server } from 'node:http'
import { Server as TlsServer, createServer as createTlsServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { WebSocketServerLike } from '@hono/node-server'
import { containsAddress, parseNetwork } from '@tripline/common/network'
import { getAddressPrefix } from '@tripline/common/address-prefix'
import { httpOptions } from './http-options.ts'
import { ConnectionLimiter } from './connection-limiter.ts'
import type { ConnectionLimit } from './connection-limiter.ts'
import { limits } from '../limits.ts'
import type { ServerMonitor } from '../metrics/server/server-monitor.ts'
import { configurationError } from '../runtime/configuration-error.ts'
import { printAddress } from '../config/settings.ts'
import type { Address, Config } from '../config/settings.ts'
import type { TlsFiles } from '../config/tls-files.ts'

export type HttpListenerOptions = {
  readonly fetch: (request: Request) => Response | Promise<Response>
  readonly websocket: { readonly server: WebSocketServerLike }
  readonly monitor: Pick<ServerMonitor, 'connected' | 'refusedConnection' | 'evictedConnection' | 'connectionsMax'>
  /** Connections in all, within the descriptors that the process may have. */
  readonly connectionsMax: number
  /** Serves HTTPS with these; plain HTTP without. */
  readonly tls: TlsFiles | undefined
  /** Serves these paths alone, and no WebSockets, each under its path of the app; default: all as they are. */
  readonly paths?: ReadonlyMap<string, string>
}

/** What no path of the app is. */
const noPath = '/ingest/none'

/** The part of the grace period that requests have. */
const requestGraceShare = 0.8

/** The HTTP and WebSocket listener with its limits on connections. */
export class HttpListener {
  readonly #server: Server | TlsServer
  readonly #limiter: ConnectionLimiter
  readonly #proxies: readonly NonNullable<ReturnType<typeof parseNetwork>>[]
  /** With TLS: the connections below those that requests name, by the address of the peer. */
  readonly #encrypted: Map<string, Socket> | undefined
  #isClosing = false

  /** Creates the listener; it is not open yet. */
  constructor(
    { trustedProxies, listenConnectionsPerAddressMax }: Pick<Config, 'trustedProxies' | 'listenConnectionsPerAddressMax'>,
    { fetch, websocket, monitor, connectionsMax, tls, paths }: HttpListenerOptions,
  ) {
    const { headersMs, idleMs, crowdedShare } = limits.connections
    this.#proxies = trustedProxies.map(parseNetwork).filter((network) => network !== undefined)
    this.#limiter = new ConnectionLimiter({
      max: connectionsMax, perAddressMax: listenConnectionsPerAddressMax, crowdedShare,
      onRefused: (limit) => monitor.refusedConnection(limit),
      onEvicted: (state) => monitor.evictedConnection(state),
    })
    this.#encrypted = tls && new Map()
    const server = createAdaptorServer({
      fetch, websocket,
      ...(tls !== undefined && { createServer: createTlsServer }),
      serverOptions: {
        ...(tls !== undefined && { ...toTlsOptions(tls), handshakeTimeout: headersMs }),
        ...httpOptions,
        // Not a listener of upgrades: beside another one the adaptor leaves it to that to answer those that it refuses.
        shouldUpgradeCallback: (request: IncomingMessage): boolean => {
          const isUpgraded = paths === undefined && httpOptions.shouldUpgradeCallback(request)
          if (isUpgraded) this.#limiter.beginRequest(this.#getConnection(request.socket))
          return isUpgraded
        },
      },
    })
    if (!(server instanceof Server || server instanceof TlsServer)) throw new Error('the listener does not speak HTTP/1.1')
    this.#server = server.setTimeout(idleMs)
    server.on('connection', (socket: Socket) => {
      monitor.connected(socket)
      this.#admit(socket)
    })
    // Before the request is handled, so that a short answer finds the connection marked.
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      if (paths !== undefined) request.url = findPath(paths, request.url ?? '')
      const connection = this.#getConnection(request.socket)
      this.#limiter.beginRequest(connection)
      if (this.#isClosing || this.#limiter.isCrowded) response.shouldKeepAlive = false
      response.once('close', () => this.#limiter.endRequest(connection))
    })
  }

  /** Uses another certificate for connections from now on. */
  useTls(files: TlsFiles): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext(toTlsOptions(files))
  }

  /** Opens the listener. @throws ExitError 78, which names the option, for an unusable address. */
  listen({ host, port }: Address, option = '--listen'): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) => {
        const sentence = `${option} ${printAddress({ host, port })} cannot be opened: ${error.message}`
        reject(configurationError(sentence, { cause: error }))
      })
      this.#server.listen(port, host, () => {
        const address = this.#server.address()
        if (address === null || typeof address === 'string') reject(new Error('the listener has no address'))
        else resolve(address)
      })
    })
  }

  onError(listener: (error: Error) => void): void {
    this.#server.on('error', listener)
  }

  /**
   * Closes the listener after running requests, at the latest after four fifths of a grace period: the rest is for events.
   * Answers announce `Connection: close` from now on, and idle connections are closed a little later, so that a request
   * that is under way gets its answer.
   */
  async close(shutdownGraceMs: number): Promise<void> {
    const graceMs = shutdownGraceMs * requestGraceShare
    this.#isClosing = true
    const deadline = setTimeout(() => {
      this.#server.closeAllConnections()
      // Handshakes that have not ended are no connections of HTTP yet.
      for (const socket of this.#encrypted?.values() ?? []) socket.destroy()
    }, graceMs)
    if (this.#limiter.hasIdle) await wait(Math.min(limits.connections.announceMs, graceMs))
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()))
    const sweep = setInterval(() => this.#server.closeIdleConnections(), 50)
    await closed
    clearInterval(sweep)
    clearTimeout(deadline)
  }

  #admit(socket: Socket): void {
    const { remoteAddress = '' } = socket
    const isProxy = this.#proxies.some((network) => containsAddress(network, remoteAddress))
    const limit = this.#limiter.admit(socket, isProxy ? undefined : getAddressPrefix(remoteAddress))
    if (this.#encrypted === undefined) {
      if (limit !== undefined) socket.end(printRefusal(limit), () => socket.destroy())
      return
    }
    // A refusal in plain text would be none to a client that waits for a handshake.
    if (limit !== undefined) return void socket.destroy()
    const peer = getPeer(socket)
    this.#encrypted.set(peer, socket)
    socket.once('close', () => this.#encrypted?.delete(peer))
  }

  /** The connection that was admitted, of one that a request names. */
  #getConnection(socket: Socket): Socket {
    return this.#encrypted?.get(getPeer(socket)) ?? socket
  }
}

/** The path of the app that a request of a listener with own paths means. */
function findPath(paths: ReadonlyMap<string, string>, url: string): string {
  return paths.get(url.replace(/\?.*$/s, '')) ?? noPath
}

/** Unique among open connections. */
function getPeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** A certificate of the client is asked for where there are authorities for one, and checked by the paths that need it. */
function toTlsOptions({ cert, key, ca }: TlsFiles): Omit<ServerOptions, 'secureContext'> {
  return { cert, key, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca, requestCert: true, rejectUnauthorized: false }) }
}

/** The response to a refused connection; its request is not read. */
function printRefusal(limit: ConnectionLimit): string {
  const from = limit === 'address' ? 'too many connections from this address' : 'too many connections'
  const body = JSON.stringify({ error: { code: 'UNAVAILABLE', message: `${from}; retry later`, request_id: '' } })
  return [
    'HTTP/1.1 503 Service Unavailable', 'Connection: close', 'Retry-After: 1', 'Content-Type: application/json',
    `Content-Length: ${body.length}`, '', body,
  ].join('\r\n')
}
