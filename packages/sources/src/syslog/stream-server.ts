import { FrameReader } from '@tripline/formats/syslog/frame-reader'
import type { SyslogFraming } from '@tripline/formats/syslog/frame-reader'
import type { Server, Socket } from 'node:net'
import { limits } from '../limits.ts'
import type { ListenerConnections } from './stream-connections.ts'

type StreamServerOptions = {
  readonly framing: SyslogFraming
  readonly isAllowed: (address: string) => boolean
  /** Takes a message; false without room. */
  readonly take: (message: Buffer, address: string) => boolean
  readonly onTooLong: () => void
  /** The connections of this listener, within the descriptors that the process may have. */
  readonly connections: ListenerConnections
}

/** The connections of a listener of syslog over TCP or TLS. */
export class StreamServer {
  readonly #server: Server
  readonly #options: StreamServerOptions
  readonly #connections = new Map<Socket, Connection>()
  readonly #paused = new Set<Connection>()

  constructor(server: Server, options: StreamServerOptions) {
    this.#server = server
    this.#options = options
    // Of TLS as well: a connection counts from its first packet, not from the end of its handshake.
    server.on('connection', (socket) => this.#admit(socket))
    server.on(isTlsServer(server) ? 'secureConnection' : 'connection', (socket: Socket) => this.#serve(socket))
    // A handshake that fails concerns its sender alone.
    server.on('tlsClientError', (_error, socket: Socket) => socket.destroy())
  }

  /** Goes on with the connections that were paused for lack of room. */
  resume(): void {
    const paused = [...this.#paused]
    this.#paused.clear()
    for (const connection of paused) connection.resume()
  }

  /** Closes the listener and all connections; what they had begun to send is handed over. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()))
    for (const [socket, connection] of this.#connections) {
      connection.end()
      socket.destroy()
    }
    await closed
  }

  #admit(socket: Socket): void {
    const { connections, isAllowed } = this.#options
    socket.on('error', () => socket.destroy())
    if (!isAllowed(socket.remoteAddress ?? '')) return void socket.destroy()
    connections.add(socket)
    socket.setTimeout(limits.syslog.idleMs, () => socket.destroy())
  }

  #serve(socket: Socket): void {
    if (socket.destroyed) return
    socket.on('error', () => socket.destroy())
    const connection = new Connection(socket, this.#options, () => void this.#paused.add(connection))
    this.#connections.set(socket, connection)
    socket.on('data', (chunk: Buffer) => {
      this.#options.connections.touch(socket)
      connection.receive(chunk)
    })
    socket.once('close', () => {
      connection.end()
      this.#connections.delete(socket)
      this.#paused.delete(connection)
    })
  }
}

function isTlsServer(server: Server): boolean {
  return 'setSecureContext' in server
}

/** One connection: the messages in its stream, and those that wait for room. */
class Connection {
  readonly #socket: Socket
  readonly #address: string
  readonly #options: StreamServerOptions
  readonly #onPaused: () => void
  readonly #reader: FrameReader
  #waiting: Buffer[] = []
  #rest: NodeJS.Timeout | undefined

  constructor(socket: Socket, options: StreamServerOptions, onPaused: () => void) {
    this.#socket = socket
    this.#address = socket.remoteAddress ?? ''
    this.#options = options
    this.#onPaused = onPaused
    const { framing, onTooLong } = options
    this.#reader = new FrameReader({ framing, onTooLong, messageBytesMax: limits.syslog.messageBytesMax })
  }

  receive(chunk: Buffer): void {
    clearTimeout(this.#rest)
    this.#hand(this.#reader.push(chunk))
    // Some senders end no message: what rests for a while is one.
    if (this.#reader.hasRest) this.#rest = setTimeout(() => this.#handRest(), limits.syslog.restMs).unref()
  }

  resume(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#hand(waiting)
    if (this.#waiting.length === 0) this.#socket.resume()
  }

  end(): void {
    clearTimeout(this.#rest)
    this.#handRest()
  }

  #handRest(): void {
    const rest = this.#reader.takeRest()
    if (rest !== undefined) this.#hand([rest])
  }

  #hand(messages: readonly Buffer[]): void {
    const left = messages.findIndex((message) => !this.#options.take(message, this.#address))
    if (left === -1) return
    this.#waiting.push(...messages.slice(left))
    this.#socket.pause()
    this.#onPaused()
  }
}
