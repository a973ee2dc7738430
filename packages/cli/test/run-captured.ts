import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Context } from '../src/framework/context.ts'
import { run } from '../src/run.ts'

export type Captured = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type ContextOverrides = {
  /** What stdin delivers, chunk by chunk. */
  readonly stdin?: string | Buffer | readonly Buffer[]
  readonly cwd?: string
  /** Variables; none unless a test sets them. */
  readonly environment?: Context['environment']
  readonly isTty?: boolean
  /** The version of Node that the command finds; the one that runs unless a test says so. */
  readonly nodeVersion?: string
  /** What the process can measure of itself; nothing unless a test says so. */
  readonly measures?: Partial<Pick<Context, 'cpuNow' | 'heapBytes'>>
  /** What the user waits for on stdout before anything else. */
  readonly untilPrinted?: string
  /** What the user does before Ctrl-C, having read stdout so far. */
  readonly untilInterrupted?: (stdout: string) => Promise<void>
}

/** Runs a command line in this process; arguments are split at blanks. Its clock advances by 1 ms a look. */
export async function runCaptured(line: string, surroundings: ContextOverrides = {}): Promise<Captured> {
  const { stdin = '', cwd = tmpdir(), environment = {}, isTty = false, measures = {}, untilInterrupted = () => Promise.resolve() } = surroundings
  const { untilPrinted = '', nodeVersion = process.versions.node } = surroundings
  const stdout = createCollector()
  const stderr = createCollector()
  let now = 0
  const context: Context = {
    stdin: Readable.from(typeof stdin === 'string' || Buffer.isBuffer(stdin) ? [Buffer.from(stdin)] : stdin),
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment,
    node: process.execPath,
    program: fileURLToPath(new URL('../src/main.ts', import.meta.url)),
    nodeVersion,
    cwd,
    isTty,
    stdoutIsTty: isTty,
    coreCount: 2,
    now: () => now++,
    wallClock: () => Date.UTC(2026, 10, 21),
    cpuNow: undefined,
    heapBytes: undefined,
    ...measures,
    interrupted: async () => {
      while (!stdout.text().includes(untilPrinted)) await nextTurn()
      await untilInterrupted(stdout.text())
    },
  }
  const code = await run(line.split(' ').filter((part) => part !== ''), context)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function createCollector(): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}

/** A new directory that holds these files. */
export function createFolder(files: { readonly [path: string]: string | Buffer }): string {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}
