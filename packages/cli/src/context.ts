import type { Readable, Writable } from 'node:stream'

/** What a command may touch of the process it runs in; `main.ts` hands over the real one, tests their own. */
export type Context = {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  readonly environment: { readonly [name: string]: string | undefined }
  /** The program of Node that runs this. */
  readonly node: string
  /** Relative paths start here. */
  readonly cwd: string
  /** Whether stderr is a terminal, where a progress bar may be drawn. */
  readonly isTty: boolean
  /** Processor cores that the process may use. */
  readonly coreCount: number
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Milliseconds since the epoch, by the clock on the wall. */
  readonly wallClock: () => number
  /** Milliseconds of processor time of this thread, without steps; undefined where the platform does not tell. */
  readonly cpuNow: (() => number) | undefined
  /** Bytes in use after everything unused was collected, buffers included; undefined where V8 gives no handle for it. */
  readonly heapBytes: (() => number) | undefined
  /** Resolves once the user asks to stop (Ctrl-C, SIGTERM). Until it is called a signal ends the process. */
  readonly interrupted: () => Promise<void>
}
