import type { MockScanner } from '@tripline/sources/test/mock-scanner'
import { openFarServer, textOf } from './far-server.ts'
import type { FarServer } from './far-server.ts'

/** Serves a scanner over HTTP; a broken connection of its faults is one. */
export async function serveScanner(scanner: Pick<MockScanner, 'request'>): Promise<FarServer> {
  return await openFarServer(async (request, response) => {
    const { method, url = '/', headers } = request
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    const sent = {
      method: method === 'POST' ? 'POST' : 'GET', url: new URL(url, `http://${headers.host}`).href, body: await textOf(request), headers: texts,
      bytesMax: Number.POSITIVE_INFINITY,
    } as const
    try {
      const answer = await scanner.request(sent)
      response.writeHead(answer.status, answer.headers).end(answer.body)
    } catch {
      // The mock breaks the connection.
      request.socket.destroy()
    }
  })
}
