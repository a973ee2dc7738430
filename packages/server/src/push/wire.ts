import { WebSocket, WebSocketServer } from 'ws'
import { limits } from '../limits.ts'
import type { Closing } from './closings.ts'

/** The client's end of a connection, as the hub needs it. */
export type Wire = {
  /** Sends a message, as UTF-8; its bytes may be shared with other wires. After a close nothing is sent. */
  readonly send: (bytes: Uint8Array) => void
  /** Bytes that were sent and have not left the process. */
  readonly bufferedBytes: () => number
  readonly ping: () => void
  /** Ends the connection; a client that does not answer is cut off after `limits.push.closeMs`. */
  readonly close: (closing: Closing) => void
}

/** What speaks WebSocket: no compression, which costs memory for each connection, and short messages only (D-35). */
export function createWebSocketServer(): WebSocketServer {
  const { frameBytesMax: maxPayload, closeMs: closeTimeout } = limits.push
  const options = { noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload, closeTimeout }
  return new WebSocketServer({
    ...options,
    // What else a client offers is its token, which is not to be sent back.
    handleProtocols: (protocols) => (protocols.has('bearer') ? 'bearer' : false),
  })
}

/** What a client does beside sending messages: answers to pings, and pings of its own. */
export type WireEvents = { readonly onPong: () => void; readonly onPing: () => void }

/** Makes a wire of a socket of `createWebSocketServer`. */
export function wireOf(socket: unknown, { onPong, onPing }: WireEvents): Wire {
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
