import { getErrorMessage } from '@tripline/common/error-message'
import type { SyslogFraming } from '@tripline/formats/syslog/frame-reader'
import { createSocket } from 'node:dgram'
import type { Socket as UdpSocket } from 'node:dgram'
import { createServer, isIPv6 } from 'node:net'
import type { Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { limits } from '../limits.ts'
import { readKernelDrops } from './kernel-drops.ts'
import { SourceRates } from './source-rates.ts'
import type { ListenerConnections } from './stream-connections.ts'
import { StreamServer } from './stream-server.ts'

/** What syslog is carried by. */
export const syslogTransports = ['udp', 'tcp', 'tls'] as const
type SyslogTransport = (typeof syslogTransports)[number]

type SocketOptions = {
  readonly host: string
  readonly port: number
  readonly transport: SyslogTransport
  readonly framing: SyslogFraming
  /** In PEM. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly isAllowed: (address: string) => boolean
  /** Takes a message; false without room: streams wait until `resume`, a datagram is dropped. */
  readonly take: (message: Buffer, address: string) => boolean
  readonly onDropped: () => void
  readonly onError: (error: Error) => void
  /** The connections of this listener. */
  readonly connections: ListenerConnections
  readonly now: () => number
}

/** Open sockets of one listener. */
export type SyslogSockets = {
  /** Such as `UDP 127.0.0.1:5514`. */
  readonly place: string
  readonly port: number
  /** Datagrams that the kernel has dropped for the port so far, where it tells. */
  readonly readKernelDrops: () => Promise<number>
  /** Goes on with the connections that wait for room. */
  readonly resume: () => void
  readonly close: () => Promise<void>
}

/** Why a listener cannot open, for the user who configured it. */
export class SyslogListenError extends Error {}

/** Opens a listener for syslog. @throws SyslogListenError if the port is in use, or the certificate cannot be used. */
export async function openSyslogSockets(options: SocketOptions): Promise<SyslogSockets> {
  const opened = await (options.transport === 'udp' ? openUdp(options) : openStream(options))
  const { host, transport } = options
  return { ...opened, place: `${transport.toUpperCase()} ${isIPv6(host) ? `[${host}]` : host}:${opened.port}` }
}

async function openUdp({ host, port, isAllowed, take, onDropped, onError, now }: SocketOptions): Promise<Omit<SyslogSockets, 'place'>> {
  const rates = new SourceRates(now)
  const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: limits.syslog.receiveBufferBytes })
  socket.on('message', (message, { address }) => {
    if (!isAllowed(address)) return
    if (message.length > limits.syslog.messageBytesMax || !rates.admit(address) || !take(message, address)) onDropped()
  })
  await bindUdp(socket, port, host)
  socket.on('error', onError)
  const { port: openPort } = socket.address()
  let knownDrops = 0
  return {
    port: openPort, resume: () => {},
    readKernelDrops: async () => {
      // A table that cannot be read at the moment says nothing of what was dropped.
      knownDrops = await readKernelDrops(openPort) ?? knownDrops
      return knownDrops
    },
    close: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  }
}

async function openStream(options: SocketOptions): Promise<Omit<SyslogSockets, 'place'>> {
  const { host, port, transport, onDropped, onError } = options
  const server = transport === 'tls' ? createTls(options) : createServer()
  const streams = new StreamServer(server, { ...options, onTooLong: onDropped })
  await listen(server, port, host)
  server.on('error', onError)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    resume: () => streams.resume(), readKernelDrops: () => Promise.resolve(0), close: () => streams.close(),
  }
}

function createTls({ tls }: SocketOptions): Server {
  if (tls === undefined) throw new SyslogListenError("TLS needs 'tls_cert' and 'tls_key'")
  try {
    return createTlsServer({ ...tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.syslog.handshakeMs })
  } catch (error) {
    throw new SyslogListenError(`the certificate or its key cannot be used: ${getErrorMessage(error)}`)
  }
}

async function bindUdp(socket: UdpSocket, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('error', (error) => reject(new SyslogListenError(printListenProblem(error, port))))
  socket.bind(port, host, resolve)
  await promise
  socket.removeAllListeners('error')
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (error) => reject(new SyslogListenError(printListenProblem(error, port))))
  server.listen(port, host, resolve)
  await promise
  server.removeAllListeners('error')
}

function printListenProblem(error: Error, port: number): string {
  if ('code' in error && error.code === 'EADDRINUSE') return `port ${port} is in use`
  const isDenied = 'code' in error && error.code === 'EACCES'
  if (isDenied) return `this process may not open port ${port}; ports below 1024 need a right of the system`
  return `port ${port} cannot be opened: ${error.message}`
}
