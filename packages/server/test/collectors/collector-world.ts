import { CollectorFolder } from '@tripline/collector/test/collector-process'
import type { SearchEventBody, SearchResultBody } from '@tripline/contract/console/search'
import { anySshLogin } from '@tripline/detection/test/rules'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openFarServer, textOf } from '../ingestion/far-server.ts'
import type { FarServer } from '../ingestion/far-server.ts'
import { logInAs, readFirstCredentials, startServerProcess, waitForReady } from '../server-process.ts'
import type { ServerProcess } from '../server-process.ts'

/** A webhook as its receiver sees it. */
type Notice = { readonly event: string; readonly data: { readonly id: string } }

const dayMs = 86_400_000

/** `tripline serve` and `tripline-collector` as processes that can be killed, and a receiver of webhooks. */
export class CollectorWorld {
  readonly folder: string
  readonly collector: CollectorFolder
  readonly notices: Notice[] = []
  readonly #far: FarServer
  readonly #rulesFile: string
  readonly #serveOptions: readonly string[]
  #served: ServerProcess | undefined
  #credentials: ReturnType<typeof readFirstCredentials> = {}
  #headers: { readonly [name: string]: string } = {}
  url = ''

  private constructor(folder: string, far: FarServer, serveOptions: readonly string[]) {
    this.#serveOptions = serveOptions
    this.folder = folder
    this.#far = far
    this.#rulesFile = join(folder, 'rule.yml')
    this.collector = new CollectorFolder(join(folder, 'collector'))
    far.answer = async (request, response) => {
      this.notices.push(JSON.parse(await textOf(request)) as Notice)
      response.writeHead(204).end()
    }
  }

  /** Starts the server and a receiver of its webhooks. */
  static async open(folder: string, serveOptions: readonly string[] = []): Promise<CollectorWorld> {
    const world = new CollectorWorld(folder, await openFarServer(() => {}), serveOptions)
    writeFileSync(world.#rulesFile, anySshLogin)
    await world.startServer()
    const events = ['alert.created', 'collector.connected', 'collector.disconnected']
    await world.call('POST', '/v1/webhooks', { name: 'Notices', url: `${world.#far.url}/hook`, events })
    return world
  }

  /** Starts the server, at its first port again, so that the collector finds it. */
  async startServer(): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port
    const options = ['--public-url', 'https://tripline.example', '--egress-allow-cidrs', '127.0.0.0/8', ...this.#serveOptions]
    const args = ['--data-dir', join(this.folder, 'data'), '--listen', `127.0.0.1:${port}`, ...options, this.#rulesFile]
    this.#served = startServerProcess(args)
    this.url = (await waitForReady(this.#served)).url
    if (this.#credentials.email === undefined) this.#credentials = readFirstCredentials(this.#served)
    this.#headers = await logInAs(this.#credentials, this.url)
  }

  async stopServer(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#served?.child.kill(signal)
    await this.#served?.exited
  }

  async close(): Promise<void> {
    await this.#far.close()
  }

  async call(method: string, path: string, body?: object): Promise<unknown> {
    const send = async (): Promise<Response> => {
      const headers = { ...this.#headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
      return await fetch(this.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    }
    let answer = await send()
    // A trial may outlast its session.
    if (answer.status === 401) {
      this.#headers = await logInAs(this.#credentials, this.url)
      answer = await send()
    }
    // A test that waits asks more often than a user may.
    for (; answer.status === 429; answer = await send()) {
      await pause(1_000 * Number(answer.headers.get('retry-after') ?? 1))
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }

  /** Writes the configuration of a collector, and enrols it with a token of the server. */
  async enrol(sources: { readonly [name: string]: object }, more: object = {}): Promise<string> {
    const { token } = await this.call('POST', '/v1/collectors/enrolment-tokens', { name: 'Frankfurt' }) as { readonly token: string }
    await this.collector.write(this.url, sources, undefined, more)
    const { code, stdout, stderr } = await this.collector.command('enroll', '--token', token)
    const [, id] = /^enrolled as Frankfurt \((.+)\)\n$/.exec(stdout) ?? []
    if (code !== 0 || id === undefined) throw new Error(`enroll ended with ${code}: ${stdout}${stderr}`)
    return id
  }

  /** The events of yesterday to tomorrow that a search finds, all pages of it. */
  async search(query: string): Promise<readonly SearchEventBody[]> {
    const [from, to] = [-dayMs, dayMs].map((offsetMs) => new Date(Date.now() + offsetMs).toISOString())
    const found: SearchEventBody[] = []
    for (let cursor = ''; ;) {
      const path = `/v1/search?q=${encodeURIComponent(query)}&limit=1000&from=${from}&to=${to}${cursor}`
      const { data, next_cursor: next } = await this.call('GET', path) as SearchResultBody
      found.push(...data)
      if (next === null) return found
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
  }

  /** How many events of yesterday to tomorrow a search finds: at least, while events are under way. */
  async count(query: string): Promise<number> {
    const [from, to] = [-dayMs, dayMs].map((offsetMs) => new Date(Date.now() + offsetMs).toISOString())
    const path = `/v1/search?q=${encodeURIComponent(query)}&limit=1&from=${from}&to=${to}`
    return (await this.call('GET', path) as SearchResultBody).total
  }

  /** Waits for a condition; unlike `expect.poll`, it does not hide a request that failed. */
  async waitFor<Value>(read: () => Promise<Value>, isReached: (value: Value) => boolean): Promise<void> {
    for (;;) {
      if (isReached(await read())) return
      await pause(200)
    }
  }

  /** Waits until all accepted events were evaluated and stored. */
  async settle(): Promise<void> {
    const countInFlight = async (): Promise<number> => {
      const { books } = await this.call('GET', '/v1/pipeline/metrics') as { readonly books: { readonly in_flight: number } }
      return books.in_flight
    }
    await this.waitFor(countInFlight, (count) => count === 0)
  }
}
