import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EgressPolicy } from '../../src/egress/egress.ts'

export type FarAnswer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** A remote server on a free port of this machine; its responses may be changed while it runs. */
export type FarServer = {
  readonly port: number
  readonly url: string
  /** Method and path of every request, in order. */
  readonly asked: string[]
  answer: FarAnswer
  readonly close: () => Promise<void>
}

export async function openFarServer(answer: FarAnswer): Promise<FarServer> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const far: FarServer = {
    port,
    url: `http://127.0.0.1:${port}`,
    asked: [],
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  function handle(request: IncomingMessage, response: ServerResponse): void {
    far.asked.push(`${request.method} ${request.url}`)
    void far.answer(request, response)
  }
  return far
}

/** Responds with JSON. */
export function answerJson(body: unknown, { status = 200, headers = {} }: Partial<AnswerHead> = {}): FarAnswer {
  const all = { 'content-type': 'application/json', ...headers }
  return (_request, response) => void response.writeHead(status, all).end(JSON.stringify(body))
}

type AnswerHead = { readonly status: number; readonly headers: { readonly [name: string]: string } }

/** Allows requests to this machine. */
export const localPolicy: EgressPolicy = { allowCidrs: ['127.0.0.0/8'], allowInsecure: false, dnsServers: [] }

/** The whole body of a request. */
export async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return text
}
