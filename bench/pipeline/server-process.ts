import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A server in its own process, started as an operator starts it, and the token of a logged-in user. */
export type ServerProcess = {
  readonly origin: string
  readonly token: string
  /** Milliseconds from its start to its ready line. */
  readonly readyMs: number
  /** Resources used so far. */
  readonly usage: () => { readonly processorMs: number; readonly residentBytes: number; readonly residentPeakBytes: number }
  readonly stop: () => Promise<void>
  /** Ends it as a power failure of the process would: `kill -9`. */
  readonly kill: () => Promise<void>
  readonly credentials: Credentials
}

export type Credentials = { readonly email: string; readonly password: string }

export type StartOptions = {
  /** The credentials of a user, for a data directory that was used before. */
  readonly credentials?: Credentials | undefined
  /** Options for Node, such as those that profile. */
  readonly nodeOptions?: readonly string[]
  /** More arguments of `tripline serve`. */
  readonly serveOptions?: readonly string[]
}

const program = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/** Starts one on a data directory and logs in; those of a first start are in the file that its log names. */
export async function startServerProcess(
  dataDir: string, rulesDir: string, { credentials: known, nodeOptions = [], serveOptions = [] }: StartOptions = {},
): Promise<ServerProcess> {
  const startedAt = performance.now()
  const settings = ['--data-dir', dataDir, rulesDir, '--listen', '127.0.0.1:0', ...serveOptions]
  const child = spawn(process.execPath, [...nodeOptions, program, 'serve', ...settings], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let credentials = known
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (credentials === undefined && text.includes('"file"')) credentials = readCredentials(text)
    if (text.includes('"level":"error"')) process.stderr.write(text)
  })
  const exited = once(child, 'exit')
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  while (!printed.includes('\n')) {
    await Promise.race([once(child.stdout, 'data'), exited.then(() => Promise.reject(new Error('the server ended before it was ready')))])
  }
  const readyMs = performance.now() - startedAt
  const { port } = JSON.parse(printed) as { port: number }
  const origin = `http://127.0.0.1:${port}`
  while (credentials === undefined) await once(child.stderr, 'data')
  return {
    origin,
    readyMs,
    credentials,
    token: await logIn(origin, credentials),
    usage: () => readProcessUsage(child.pid!),
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Reads the password of a first start from the file that the log names. */
function readCredentials(text: string): Credentials {
  const line = text.split('\n').find((line) => line.includes('"file"'))!
  const { email, file } = JSON.parse(line) as { readonly email: string; readonly file: string }
  return { email, password: readFileSync(file, 'utf8').trim() }
}

async function logIn(origin: string, credentials: Credentials): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answered = await fetch(`${origin}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(credentials) })
  return ((await answered.json()) as { access_token: string }).access_token
}

/** From the kernel's account of a process; Linux. */
function readProcessUsage(pid: number): ReturnType<ServerProcess['usage']> {
  const fields = readFileSync(join('/proc', String(pid), 'stat'), 'utf8').replace(/^.*\) /, '').split(' ')
  const status = readFileSync(join('/proc', String(pid), 'status'), 'utf8')
  const kilobytesOf = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024
  // Ticks of a hundredth of a second.
  const processorMs = (Number(fields[11]) + Number(fields[12])) * 10
  return { processorMs, residentBytes: kilobytesOf('VmRSS'), residentPeakBytes: kilobytesOf('VmHWM') }
}
