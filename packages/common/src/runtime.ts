import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { getThreadCpuMs } from './processor-time.ts'

/** The side effects of the server: clock, random bytes, environment and output. Injected, so that tests are deterministic. */
export type Runtime = {
  /** Writes one line to stdout. */
  readonly printLine: (line: string) => void
  /** Writes one line to stderr. */
  readonly logLine: (line: string) => void
  /** Writes text to stderr without holding up the process; where it is given, the lines of a server's log are written by it. */
  readonly writeLog?: (text: string) => Promise<void>
  /** Lines of the log that were dropped, because the log was read too slowly. */
  readonly countDroppedLogLines?: () => number
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds of a monotonic clock with an arbitrary zero. */
  readonly elapsedMs: () => number
  /** Milliseconds of processor time of the thread, which other processes do not change. */
  readonly processorMs?: () => number
  readonly randomBytes: (count: number) => Uint8Array
  readonly environment: { readonly [name: string]: string | undefined }
  readonly readText: (path: string) => Promise<string>
  /**
   * Resolves with the name of the first termination signal. A second signal of the same name ends the process at once, as is
   * the default.
   */
  readonly waitForStopSignal: () => Promise<string>
  /** Calls a listener at each SIGHUP, which otherwise ends the process; returns what removes it. */
  readonly onReloadSignal?: (listener: () => void) => () => void
  /** Calls the listener with each warning of Node in place of printing it; returns what ends that. */
  readonly onWarning?: (listener: (warning: Error) => void) => () => void
  readonly processId: number
}

/** Wall clock and monotonic clock. */
export type Clock = Pick<Runtime, 'now' | 'elapsedMs'>

/** The runtime of the process. */
export function processRuntime(): Runtime {
  return {
    printLine: (line) => void process.stdout.write(`${line}\n`),
    logLine: (line) => void process.stderr.write(`${line}\n`),
    now: () => Date.now(),
    elapsedMs: () => performance.now(),
    processorMs: getThreadCpuMs,
    randomBytes: (count) => randomBytes(count),
    environment: process.env,
    readText: (path) => readFile(path, 'utf8'),
    waitForStopSignal: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
      }),
    onReloadSignal: (listener) => {
      process.on('SIGHUP', listener)
      return () => void process.off('SIGHUP', listener)
    },
    onWarning: (listener) => {
      // Node prints warnings by a listener of its own.
      const printing = process.listeners('warning')
      process.removeAllListeners('warning')
      process.on('warning', listener)
      return () => {
        process.off('warning', listener)
        for (const print of printing) process.on('warning', print)
      }
    },
    processId: process.pid,
  }
}
