import type { Log } from '@tripline/common/log'
import { once } from 'node:events'
import { limits } from '../limits.ts'

type LogEntry = {
  readonly at: string
  readonly level: string
  readonly message: string
  readonly source?: string
  readonly [name: string]: unknown
}

/** The log: lines of JSON on stderr, and the last ones in memory for `tripline-collector logs`. */
export class LogBuffer {
  readonly #entries: LogEntry[] = []
  readonly #followers = new Set<(entry: LogEntry) => void>()
  readonly #write: (line: string) => void
  readonly #now: () => number

  constructor(write: (line: string) => void, now: () => number) {
    this.#write = write
    this.#now = now
  }

  get log(): Log {
    const add = (level: string) => (message: string, fields: object = {}): void => {
      const entry: LogEntry = { at: new Date(this.#now()).toISOString(), level, message, ...fields }
      this.#write(JSON.stringify(entry))
      this.#entries.push(entry)
      if (this.#entries.length > limits.control.logLinesMax) this.#entries.shift()
      for (const follow of this.#followers) follow(entry)
    }
    return { info: add('info'), warn: add('warn'), error: add('error') }
  }

  /** The last entries, of one source if it is named. */
  last(count: number, source: string | undefined): readonly LogEntry[] {
    return this.#entries.filter((entry) => source === undefined || entry.source === source).slice(-count)
  }

  /** Calls a listener for each entry until the signal aborts. */
  async follow(source: string | undefined, listener: (entry: LogEntry) => void, signal: AbortSignal): Promise<void> {
    const take = (entry: LogEntry): void => void ((source === undefined || entry.source === source) && listener(entry))
    this.#followers.add(take)
    if (!signal.aborted) await once(signal, 'abort')
    this.#followers.delete(take)
  }
}
