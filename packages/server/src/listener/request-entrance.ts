import { createAdaptorServer } from '@hono/node-server'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpListenerOptions } from './http-listener.ts'

/** The part of the grace period that requests have. */
const requestGraceShare = 0.8

/**
 * Requests of an HTTP server that belongs to the program around this one. That server has the connections; an adaptor that never
 * listens handles what it is passed.
 */
export class RequestEntrance {
  readonly #adaptor: ReturnType<typeof createAdaptorServer>
  readonly #running = new Set<ServerResponse>()
  #isClosing = false
  #onLastEnd: (() => void) | undefined

  constructor({ fetch, websocket }: Pick<HttpListenerOptions, 'fetch' | 'websocket'>) {
    this.#adaptor = createAdaptorServer({ fetch, websocket })
  }

  /** Answers a request; 503 once the entrance closes. */
  handleRequest(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isClosing) {
      refuse(response)
      return
    }
    this.#running.add(response)
    response.once('close', () => {
      this.#running.delete(response)
      if (this.#running.size === 0) this.#onLastEnd?.()
    })
    this.#adaptor.emit('request', request, response)
  }

  /** Upgrades a request to a WebSocket, or refuses it and closes the socket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
    if (this.#isClosing || !isWebSocket) {
      const status = this.#isClosing ? '503 Service Unavailable' : '400 Bad Request'
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    this.#adaptor.emit('upgrade', request, socket, head)
  }

  /** Takes no more requests, and resolves when the running ones have ended, at the latest after four fifths of a grace period. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    for (const response of this.#running) response.shouldKeepAlive = false
    if (this.#running.size === 0) return
    const deadline = setTimeout(() => {
      for (const response of this.#running) response.destroy()
    }, graceMs * requestGraceShare)
    await new Promise<void>((resolve) => (this.#onLastEnd = resolve))
    clearTimeout(deadline)
  }
}

function refuse(response: ServerResponse): void {
  const error = { code: 'UNAVAILABLE', message: 'the server is stopping; retry later', request_id: '' }
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' }).end(JSON.stringify({ error }))
}
