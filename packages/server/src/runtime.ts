import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** What the server needs of the world around it, handed in so that tests bring their own (C10). */
export type Runtime = {
  /** Writes one line to stdout. */
  readonly printLine: (line: string) => void
  /** Writes one line to stderr. */
  readonly logLine: (line: string) => void
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds of a clock that never goes back; its zero means nothing. */
  readonly elapsedMs: () => number
  readonly randomBytes: (count: number) => Uint8Array
  readonly environment: { readonly [name: string]: string | undefined }
  readonly readText: (path: string) => Promise<string>
  /**
   * Resolves with the name of the first signal that asks the process to end. A second one of the same
   * name ends it at once, as it would without us.
   */
  readonly waitForStopSignal: () => Promise<string>
  readonly processId: number
}

/** The real world. */
export function processRuntime(): Runtime {
  return {
    printLine: (line) => void process.stdout.write(`${line}\n`),
    logLine: (line) => void process.stderr.write(`${line}\n`),
    now: () => Date.now(),
    elapsedMs: () => performance.now(),
    randomBytes: (count) => randomBytes(count),
    environment: process.env,
    readText: (path) => readFile(path, 'utf8'),
    waitForStopSignal: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
      }),
    processId: process.pid,
  }
}
