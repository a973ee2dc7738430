import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { hashSources } from '../hash-sources.mjs'
import { slowAnswers, slowPages } from './slow-down.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const site = join(root, 'packages/console/dist/site')
export const browserPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** How long the browser may take to start, and a page for a step: the driver's own limit of 30 seconds is luck on a busy machine. */
const waitMaxMs = 90_000

/** Where there is no browser the tests are skipped, and say so; CI sets the variable, so that it cannot skip them. */
export const lacksBrowser = !existsSync(browserPath) && process.env['TRIPLINE_REQUIRE_BROWSER'] === undefined
if (lacksBrowser) process.stderr.write(`No browser at ${browserPath}: the pages are NOT tested. Debian: apt-get install chromium\n`)

/** The built console, built again if it is of other sources. */
export function buildSite(): string {
  const stamp = join(site, 'sources.txt')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8').trim() === hashSources(root)) return site
  const vite = join(root, 'packages/console/node_modules/vite/bin/vite.js')
  const { status, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: join(root, 'packages/console'),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the console cannot be built: ${stderr}`)
  return site
}

/** A real server on a free port with an administrator, and a browser. */
export type Console = {
  readonly origin: string
  readonly credentials: { readonly email: string; readonly password: string }
  readonly dataDir: string
  readonly browser: Browser
  /** Sends a request as the administrator. @throws Error unless it succeeds. */
  readonly call: <Body>(path: string, request?: { readonly method?: string; readonly body?: unknown }) => Promise<Body>
  /** Sends events. @throws Error unless they are accepted. */
  readonly send: (events: readonly object[]) => Promise<void>
  /** Sends events, and resolves once `count` alerts exist. */
  readonly ingest: (events: readonly object[], count: number) => Promise<void>
  /** Writes a line to the standard input of the server. */
  readonly tell: (line: string) => void
  readonly close: () => Promise<void>
}

type Place = {
  /** Default: a free one. */
  readonly listenPort?: number
  /** A program that takes the options of `tripline serve`, in its place; below the folder of packages. */
  readonly program?: string
  /** Gives the data directory a disk of its own, of this size, which only the server and `dataDir` see. */
  readonly diskMegabytes?: number
}

/** What mounts a disk for a program, which follows: the mount is of its own namespace. */
const mountDisk = 'mkdir -p "$0" && mount -t tmpfs -o size="$1"m none "$0" && shift && exec "$@"'

/** Whether this machine lets a program mount a disk of its own. */
export function canMountDisk(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'tripline-mount-'))
  const { status } = spawnSync('unshare', ['-rm', 'sh', '-c', mountDisk, folder, '1', 'true'])
  rmSync(folder, { recursive: true })
  return status === 0
}

/** Starts a server from the sources with rules and options of its own, and the browser. */
export async function openConsole(
  rules: { readonly [name: string]: string }, options: readonly string[] = [],
  { listenPort = 0, program = 'cli/src/main.ts', diskMegabytes }: Place = {},
): Promise<Console> {
  buildSite()
  const folder = mkdtempSync(join(tmpdir(), 'tripline-pages-'))
  mkdirSync(join(folder, 'rules'))
  for (const [name, text] of Object.entries(rules)) writeFileSync(join(folder, 'rules', `${name}.yml`), text)
  const disk = join(folder, 'disk')
  const dataDir = join(diskMegabytes === undefined ? folder : disk, 'data')
  const behind = diskMegabytes === undefined ? [] : ['unshare', '-rm', 'sh', '-c', mountDisk, disk, String(diskMegabytes)]
  const [command, ...all] = [
    ...behind, process.execPath, join(root, 'packages', program), 'serve', '--data-dir', dataDir, '--listen', `127.0.0.1:${listenPort}`,
    ...options, join(folder, 'rules'),
  ]
  const server = spawn(command, all, { stdio: ['pipe', 'pipe', 'pipe'] })
  /** The path of a file as this process sees it: the server may have a mount of its own. */
  const seen = (path: string): string => (diskMegabytes === undefined ? path : `/proc/${server.pid}/root${path}`)
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', (line) => resolve((JSON.parse(line) as { readonly port: number }).port))
    server.once('exit', () => reject(new Error(`the server ended: ${log}`)))
  })
  const origin = `http://127.0.0.1:${port}`
  // The two outputs arrive in any order.
  while (!log.includes('"file":"')) await once(server.stderr, 'data')
  const [, email = ''] = /"email":"([^"]+)"/.exec(log) ?? []
  const [, file = ''] = /"file":"([^"]+)"/.exec(log) ?? []
  const credentials = { email, password: readFileSync(seen(file), 'utf8').trim().split(/\s+/).at(-1) ?? '' }
  const send = async (
    path: string,
    token: string,
    { method = 'GET', body }: { readonly method?: string; readonly body?: unknown },
  ): Promise<Response> => {
    const headers = { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) }
    const response = await fetch(origin + path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const login = async (): Promise<string> =>
    ((await (await send('/v1/auth/login', '', { method: 'POST', body: credentials })).json()) as { readonly access_token: string })
      .access_token
  let token = await login()
  const call = async <Body>(path: string, request: { readonly method?: string; readonly body?: unknown } = {}): Promise<Body> => {
    const response = await send(path, token, request).catch(async (error: unknown) => {
      // Trials last longer than a session.
      if (!String(error).includes('answered 401')) throw error
      token = await login()
      return await send(path, token, request)
    })
    return JSON.parse((await response.text()) || 'null') as Body
  }
  const sendEvents = async (events: readonly object[]): Promise<void> =>
    await call('/ingest/v1/events', { method: 'POST', body: events.map((event) => JSON.stringify(event)).join('\n') })
  const browser = await chromium.launch({
    executablePath: browserPath,
    timeout: waitMaxMs,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  await slowPages(browser)
  return {
    origin,
    credentials,
    dataDir: seen(dataDir),
    browser,
    call,
    ingest: async (events, count) => {
      await sendEvents(events)
      for (;;) {
        const { pagination } = await call<{ readonly pagination: { readonly total: number } }>('/v1/alerts?limit=1')
        if (pagination.total >= count) return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
    send: sendEvents,
    tell: (line) => void server.stdin.write(`${line}\n`),
    close: async () => {
      await browser.close()
      server.removeAllListeners('exit')
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Failed requests that are shown with a problem. */
const failedShown = 5

/** A page that notes what must never happen: errors, violations of the policy, dialogs, requests to elsewhere. */
export type WatchedPage = { readonly page: Page; readonly context: BrowserContext; readonly problems: string[] }

/** Opens a page in a context of its own, in the dark theme unless another is named. */
export async function openPage({ browser, origin }: Pick<Console, 'browser' | 'origin'>, theme: 'dark' | 'light' = 'dark'): Promise<WatchedPage> {
  // Without motion: a colour that is half-way to another would be measured as too pale.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: theme, reducedMotion: 'reduce' })
  context.setDefaultTimeout(waitMaxMs)
  await slowAnswers(context, origin)
  const page = await context.newPage()
  const problems: string[] = []
  /** The last requests that failed or were refused: they may tell how a problem came about. */
  const failed: string[] = []
  const noteFailed = (request: Request, how: string): void => {
    failed.push(`${request.method()} ${request.url().replace(origin, '')} ${how}`)
    if (failed.length > failedShown) failed.shift()
  }
  const note = (problem: string): void => {
    const where = `${expect.getState().currentTestName ?? ''}, at ${page.url().replace(origin, '')}`
    problems.push(`${where}: ${problem}${failed.length === 0 ? '' : `\n  after ${failed.join(', ')}`}`)
  }
  page.on('requestfailed', (request) => noteFailed(request, request.failure()?.errorText ?? 'failed'))
  page.on('response', (response) => {
    if (response.status() >= 400) noteFailed(response.request(), String(response.status()))
  })
  page.on('console', (message) => {
    const { url, lineNumber } = message.location()
    // Browsers print every answer of 4xx; those that a test provokes are the page's to handle.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      note(`${message.text()} (${url.replace(origin, '')}:${lineNumber})`)
  })
  page.on('pageerror', ({ message, stack }) => note(stack ?? message))
  page.on('dialog', (dialog) => {
    note(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) note(`a request to ${request.url()}`)
  })
  return { page, context, problems }
}

/** Adds a user, who has chosen a password. */
export async function addUser(
  { call, origin }: Pick<Console, 'call' | 'origin'>,
  user: { readonly email: string; readonly roles: readonly string[]; readonly interface?: 'console' | 'portal' },
): Promise<Console['credentials']> {
  const { one_time_password: given } = await call<{ readonly one_time_password: string }>('/v1/users', {
    method: 'POST', body: { ...user, name: user.email.split('@')[0] },
  })
  const password = 'a password of my own'
  const body = JSON.stringify({ email: user.email, password: given, new_password: password })
  const answer = await fetch(`${origin}/v1/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!answer.ok) throw new Error(`the first login of ${user.email} answered ${answer.status}`)
  return { email: user.email, password }
}

/** Logs in by the form, and waits until the address is shown. */
export async function logIn({ origin, credentials }: Pick<Console, 'origin' | 'credentials'>, page: Page, path = '/alerts'): Promise<void> {
  await page.goto(origin + path)
  await page.getByLabel('Email').fill(credentials.email)
  await page.getByLabel('Password').fill(credentials.password)
  await page.keyboard.press('Enter')
  // The form has a heading of its own.
  await page.getByRole('heading', { name: 'Log in to Tripline' }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
}
