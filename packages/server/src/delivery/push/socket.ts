import type { WebSocketServerLike } from '@hono/node-server'
import { WebSocket, WebSocketServer } from 'ws'
import { limits } from '../limits.ts'
import type { CloseCode } from './close-codes.ts'

/** A client's socket, as the hub uses it. */
export type Socket = {
  /** Sends a message as UTF-8; its bytes may be shared with other sockets. After a close nothing is sent. */
  readonly send: (bytes: Uint8Array) => void
  /** Bytes that were sent and have not left the process. */
  readonly bufferedBytes: () => number
  readonly ping: () => void
  /** Closes the connection; a client that does not answer is cut off after `limits.push.closeMs`. */
  readonly close: (closing: CloseCode) => void
}

/**
 * Creates the WebSocket server for connections that the HTTP listener upgrades: no compression, which costs memory for
 * each connection, and short messages only.
 */
export function createSocketServer(): WebSocketServerLike {
  const { frameBytesMax: maxPayload, closeMs: closeTimeout } = limits.push
  const options = { noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload, closeTimeout }
  // The other protocol that a client offers besides `bearer` is its token, which must not be echoed.
  const server = new WebSocketServer({ ...options, handleProtocols: (protocols) => (protocols.has('bearer') ? 'bearer' : false) })
  if (!isListenerServer(server)) throw new Error('the WebSocket server would open a port of its own')
  return server
}

/** The listener accepts this server; only the types of the two libraries declare optional arguments differently. */
function isListenerServer(server: unknown): server is WebSocketServerLike {
  return server instanceof WebSocketServer && server.options.noServer === true
}

/** Control frames of a client: answers to pings, and its own pings. */
type SocketEvents = { readonly onPong: () => void; readonly onPing: () => void }

/** Wraps a socket of `createSocketServer`. */
export function wrapSocket(socket: unknown, { onPong, onPing }: SocketEvents): Socket {
  if (!(socket instanceof WebSocket)) throw new Error('the socket does not belong to the WebSocket server')
  socket.on('pong', onPong)
  socket.on('ping', onPing)
  // A failed send means that the connection is lost, which its close event reports.
  const whenSent = (): void => {}
  return {
    send: (bytes) => socket.send(bytes, { binary: false }, whenSent),
    bufferedBytes: () => socket.bufferedAmount,
    ping: () => socket.ping(undefined, undefined, whenSent),
    close: ({ code, reason }) => socket.close(code, reason),
  }
}
