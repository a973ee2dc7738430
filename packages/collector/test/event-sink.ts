import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** The server as far as a collector sees it: it counts events by their ids, and can be taken away. */
export class EventSink {
  /** The event of each id, and how often an event came that was there already. */
  readonly events = new Map<string, { readonly [name: string]: unknown }>()
  readonly heartbeats: { readonly [name: string]: unknown }[] = []
  repeatedCount = 0
  /** Whether events are stored and the answer is lost; the next request goes on as usual. */
  losesNextAnswer = false
  #server: Server | undefined
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async open(): Promise<void> {
    this.#server = createServer((request, response) => void this.#serve(request, response))
    await new Promise<void>((resolve) => void this.#server!.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.closeAllConnections()
    if (server !== undefined) await new Promise<void>((resolve) => void server.close(() => resolve()))
  }

  /** The numbers of all events, in order. */
  numbers(field = 'n'): number[] {
    return [...this.events.values()].map((event) => Number(event[field])).sort((a, b) => a - b)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    } catch {
      // The collector was killed while it sent.
      return
    }
    const body = Buffer.concat(chunks)
    const path = request.url ?? ''
    if (path.endsWith('/enrol')) {
      return respond(response, 201, { collector_id: 'c1', name: 'here', credential: 'tl_test', heartbeat_interval_seconds: 30 })
    }
    if (path.endsWith('/heartbeat')) {
      this.heartbeats.push(JSON.parse(body.toString()) as { readonly [name: string]: unknown })
      return respond(response, 200, { status: 'online', refused_sources: [] })
    }
    const [series = '', first = ''] = String(request.headers['x-batch-id']).split(':')
    const lines = gunzipSync(body).toString().trimEnd().split('\n')
    for (const [index, line] of lines.entries()) {
      const id = `${series}:${Number(first) + index}`
      if (this.events.has(id)) this.repeatedCount++
      this.events.set(id, JSON.parse(line) as { readonly [name: string]: unknown })
    }
    if (this.losesNextAnswer) {
      this.losesNextAnswer = false
      return void response.destroy()
    }
    respond(response, 202, { accepted: lines.length, rejected: 0, errors: [] })
  }
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
