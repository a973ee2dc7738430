import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** A server as the process that customers start. */
export type ServerProcess = {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  /** Everything it printed so far. */
  readonly printed: { stdout: string; stderr: string }
  readonly exited: Promise<number | null>
}

const running = new Set<ServerProcess['child']>()

/** Starts the real process with these options of `tripline serve`; behind a command that starts it, where one is given. */
export function startServerProcess(args: readonly string[], behind: readonly string[] = []): ServerProcess {
  const [command = '', ...all] = [...behind, process.execPath, join(import.meta.dirname, 'serve-main.ts'), ...args]
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(command, all, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH, NODE_COMPILE_CACHE } })
  running.add(child)
  const printed = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text))
  const exited = once(child, 'close').then(([code]) => {
    running.delete(child)
    return typeof code === 'number' ? code : null
  })
  return { child, printed, exited }
}

/** Ends every process that still runs: to be called after each test. */
export function killServerProcesses(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Waits for the ready line, and says what stands in it. */
export async function waitForReady({ child, printed, exited }: ServerProcess): Promise<{ readonly url: string; readonly pid: number }> {
  const failed = exited.then((code) => Promise.reject(new Error(`exited with ${code}: ${printed.stderr}`)))
  while (!printed.stdout.includes('\n')) await Promise.race([once(child.stdout, 'data'), failed])
  // The end of a process that was ready is another's business.
  failed.catch(() => {})
  const { port, pid } = JSON.parse(printed.stdout) as { port: number; pid: number }
  return { url: `http://127.0.0.1:${port}`, pid }
}

/** The credentials of the first start: the log names the file with the password. */
export function readFirstCredentials({ printed, child }: ServerProcess): { readonly email?: string; readonly password?: string } {
  const lines = printed.stderr.trimEnd().split('\n').map((line) => JSON.parse(line) as { email?: string; file?: string })
  const { email, file } = lines.find((line) => line.file !== undefined) ?? {}
  return email === undefined || file === undefined ? {} : { email, password: readFileSync(asSeenBy(child.pid, file), 'utf8').trim() }
}

/** The path of a file of a process, which may have mounts of its own. */
function asSeenBy(pid: number | undefined, path: string): string {
  const inside = `/proc/${pid}/root${path}`
  return existsSync(inside) ? inside : path
}

/** Asks for a token with credentials. */
export function requestLogin(url: string, credentials: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(credentials) })
}

/** Logs in with the credentials of the first start, and gives the header that says so. */
export async function logIn(served: ServerProcess, url: string): Promise<{ authorization: string }> {
  return await logInAs(readFirstCredentials(served), url)
}

/** Logs in with credentials, and gives the header that says so. */
export async function logInAs(credentials: ReturnType<typeof readFirstCredentials>, url: string): Promise<{ authorization: string }> {
  const answered = await requestLogin(url, credentials)
  const { access_token: token } = (await answered.json()) as { access_token: string }
  return { authorization: `Bearer ${token}` }
}
