import type { Readable, Writable } from 'node:stream'

/** The parts of the process that a command may use; `main.ts` passes the real ones, tests their own. */
export type Context = {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly environment: { readonly [name: string]: string | undefined }
  /** The path of the Node executable. */
  readonly node: string
  /** The path of the program that Node runs: the command line itself. */
  readonly program: string
  /** The version of Node: `26.10.0`. */
  readonly nodeVersion: string
  /** Relative paths start here. */
  readonly cwd: string
  /** Whether stderr is a terminal, where a progress bar may be drawn. */
  readonly isTty: boolean
  /** Whether stdout is a terminal, where output may have colours. */
  readonly stdoutIsTty: boolean
  /** Processor cores that the process may use. */
  readonly coreCount: number
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Milliseconds since the epoch, by the clock on the wall. */
  readonly wallClock: () => number
  /** Milliseconds of processor time of this thread, exact; undefined where the platform does not report it. */
  readonly cpuNow: (() => number) | undefined
  /** Bytes in use after garbage collection, buffers included; undefined where V8 does not expose the collector. */
  readonly heapBytes: (() => number) | undefined
  /** Resolves on Ctrl-C or SIGTERM. Before the first call, a signal ends the process. */
  readonly interrupted: () => Promise<void>
}
