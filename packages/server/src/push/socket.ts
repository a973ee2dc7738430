import type { WebSocketServerLike } from '@hono/node-server'
import { WebSocket, WebSocketServer } from 'ws'
import { limits } from '../limits.ts'
import type { CloseCode } from './close-codes.ts'

/** The client's end of a connection, as the hub needs it. */
export type Socket = {
  /** Sends a message, as UTF-8; its bytes may be shared with other wires. After a close nothing is sent. */
  readonly send: (bytes: Uint8Array) => void
  /** Bytes that were sent and have not left the process. */
  readonly bufferedBytes: () => number
  readonly ping: () => void
  /** Ends the connection; a client that does not answer is cut off after `limits.push.closeMs`. */
  readonly close: (closing: CloseCode) => void
}

/**
 * What speaks WebSocket on connections that the HTTP listener hands over: no compression, which costs memory for each
 * connection, and short messages only (D-35).
 */
export function createSocketServer(): WebSocketServerLike {
  const { frameBytesMax: maxPayload, closeMs: closeTimeout } = limits.push
  const options = { noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload, closeTimeout }
  // What else a client offers besides `bearer` is its token, which is not to be sent back.
  const server = new WebSocketServer({ ...options, handleProtocols: (protocols) => (protocols.has('bearer') ? 'bearer' : false) })
  if (!isListenerServer(server)) throw new Error('the WebSocket server would open a port of its own')
  return server
}

/** The listener is made for this server; only the types of the two libraries write optional arguments in different ways. */
function isListenerServer(server: unknown): server is WebSocketServerLike {
  return server instanceof WebSocketServer && server.options.noServer === true
}

/** What a client does beside sending messages: answers to pings, and pings of its own. */
export type SocketEvents = { readonly onPong: () => void; readonly onPing: () => void }

/** Makes a wire of a socket of `createSocketServer`. */
export function wrapSocket(socket: unknown, { onPong, onPing }: SocketEvents): Socket {
  if (!(socket instanceof WebSocket)) throw new Error('this is no socket of the WebSocket server')
  socket.on('pong', onPong)
  socket.on('ping', onPing)
  // A send that fails means that the connection is gone, which its end says as well.
  const whenSent = (): void => {}
  return {
    send: (bytes) => socket.send(bytes, { binary: false }, whenSent),
    bufferedBytes: () => socket.bufferedAmount,
    ping: () => socket.ping(undefined, undefined, whenSent),
    close: ({ code, reason }) => socket.close(code, reason),
  }
}
