import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Where the packages of npm are that the tests ship with; undefined where none were installed. */
const npmFolder = process.env['TRIPLINE_TEST_SHIPPERS']
const python = process.env['TRIPLINE_TEST_PYTHON']

/** A library that ships events, and how its connector gets them. */
export type Shipper = {
  readonly name: string
  readonly type: 'elastic_bulk' | 'splunk_hec' | 'otlp_http'
  /** Whether a request that comes again is recognised: its events have ids, or it has the same bytes. */
  readonly isOnce: boolean
  /** Whether its events say by themselves what they are of, or the connector has to. */
  readonly tellsSource: boolean
}

const ofNpm: readonly Shipper[] = [
  { name: 'elasticsearch-8', type: 'elastic_bulk', isOnce: true, tellsSource: true },
  { name: 'elasticsearch-9', type: 'elastic_bulk', isOnce: true, tellsSource: true },
  // What could not be sent comes again in another order, together with what came since.
  { name: 'winston-elasticsearch', type: 'elastic_bulk', isOnce: false, tellsSource: false },
  // Its application writes lines again that may have arrived.
  { name: 'pino-elasticsearch', type: 'elastic_bulk', isOnce: false, tellsSource: true },
  { name: 'splunk-logging', type: 'splunk_hec', isOnce: true, tellsSource: false },
  { name: 'opentelemetry-js-json', type: 'otlp_http', isOnce: true, tellsSource: false },
  { name: 'opentelemetry-js-protobuf', type: 'otlp_http', isOnce: true, tellsSource: false },
]
const ofPython: readonly Shipper[] = [
  { name: 'opensearch-py', type: 'elastic_bulk', isOnce: true, tellsSource: true },
  { name: 'splunk-handler', type: 'splunk_hec', isOnce: true, tellsSource: false },
  { name: 'opentelemetry-python-json', type: 'otlp_http', isOnce: true, tellsSource: false },
  { name: 'opentelemetry-python-protobuf', type: 'otlp_http', isOnce: true, tellsSource: false },
]

/** What a process is to send, and where: messages of each library, of a request, and the token of each library's connector. */
type LibraryOrders = {
  readonly url: string
  readonly count: number
  readonly batch: number
  readonly tokens: { readonly [name: string]: string }
}

/** The processes that there are packages for: what starts each, and the shippers that run in it. */
export const processes = [
  { missing: npmFolder === undefined, command: process.execPath, program: 'npm-libraries.ts', shippers: ofNpm },
  { missing: python === undefined, command: python ?? '', program: 'python_libraries.py', shippers: ofPython },
].filter(({ missing }) => !missing)

/**
 * A process in which libraries send numbered messages to one server. A line to it is the count of messages that each of them may
 * have sent by then; a line from it has the numbers that a library was told are taken.
 */
export class LibraryProcess {
  readonly acknowledged = new Map<string, Set<number>>()
  printedErrors = ''
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  #end: Error | undefined

  constructor({ command, program, shippers }: (typeof processes)[number], orders: LibraryOrders) {
    for (const { name } of shippers) this.acknowledged.set(name, new Set())
    this.#child = spawn(command, [join(import.meta.dirname, program), JSON.stringify(orders)], { stdio: 'pipe' })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.printedErrors += text))
    this.#child.on('close', (code) => (this.#end = new Error(`${program} ended with ${code}: ${this.printedErrors.slice(-2_000)}`)))
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      // Libraries print remarks of their own.
      if (!line.startsWith('{"shipper":')) return
      const { shipper, acknowledged } = JSON.parse(line) as { readonly shipper: string; readonly acknowledged: readonly number[] }
      for (const number of acknowledged) this.acknowledged.get(shipper)?.add(number)
    })
  }

  /** Lets each library send up to a number of messages. */
  allow(count: number): void {
    this.#child.stdin.write(`${count}\n`)
  }

  /** @throws Error when the process has ended by itself. */
  checkRuns(): void {
    if (this.#end !== undefined) throw this.#end
  }

  end(): void {
    this.#child.kill('SIGKILL')
  }
}
