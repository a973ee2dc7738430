import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { requestLogin, killServerProcesses, readFirstCredentials, logIn, waitForReady, startServerProcess } from './server-process.ts'

// A disk of 24 MB in a mount namespace of its own, so that it can be filled: a real one, because what SQLite and the file
// system do then cannot be simulated.

const folder = mkdtempSync(join(tmpdir(), 'tripline-full-'))
const mounted = join(folder, 'disk')
const rulePath = '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const script = 'mkdir -p "$0" && mount -t tmpfs -o size=24m none "$0" && echo mounted && exec cat'
// It holds the disk until its input ends; where there is no such command, or no leave, it ends at once.
const holder = spawn('unshare', ['-rm', 'sh', '-c', script, mounted], { stdio: ['pipe', 'pipe', 'ignore'] })
const hasEnded = once(holder, 'exit').then(() => true, () => true)
const canMount = await Promise.race([once(holder.stdout, 'data').then(() => true), hasEnded.then(() => false)])
const onThatDisk = ['nsenter', '-t', String(holder.pid), '-U', '-m', '--preserve-credentials']
/** What the log says below each share of free space, and what a sender is answered there. */
const watermarks: readonly (readonly [freeShare: number, message: string, status: number])[] = [
  [0.15, 'disk space falls short', 202],
  [0.1, 'disk space is nearly used up', 202],
  [0.05, 'events are refused until space is available', 503],
]
const name = 'a full disk refuses events and changes, not questions, and goes on by itself when it has room'

afterAll(async () => {
  killServerProcesses()
  if (canMount) holder.stdin.end()
  await hasEnded
  rmSync(folder, { recursive: true })
})

test.skipIf(!canMount)(canMount ? name : `${name} (skipped: this machine does not allow to mount a disk)`, async () => {
  writeFileSync(join(folder, 'rule.yml'), encodedPowerShell)
  const options = ['--data-dir', join(mounted, 'data'), '--listen', '127.0.0.1:0', join(folder, 'rule.yml')]
  let served = startServerProcess(options, onThatDisk)
  let { url } = await waitForReady(served)
  const headers = await logIn(served, url)
  let sentCount = 0
  const send = async (): Promise<Response> => {
    const body = JSON.stringify(Array.from({ length: 20 }, () => ({ ...encoded, Computer: `web-${sentCount++}` })))
    return await fetch(`${url}/ingest/v1/events`, { method: 'POST', headers, body })
  }
  const statusOf = async (path: string): Promise<number> => (await fetch(url + path, { headers })).status
  const matchCount = async (): Promise<number> => {
    const list = (await (await fetch(`${url}${rulePath}/matches?size=1`, { headers })).json()) as { total_estimate: number }
    return list.total_estimate
  }
  const titleOfRule = async (): Promise<string> => ((await (await fetch(url + rulePath, { headers })).json()) as { title: string }).title
  const changeTitle = async (title: string): Promise<Response> =>
    await fetch(url + rulePath, { method: 'PUT', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ title }) })
  expect((await send()).status).toBe(202)

  const ballast = join('/proc', String(holder.pid), 'root', mounted, 'ballast')
  for (const [freeShare, message, status] of watermarks) {
    expect([message, served.printed.stderr.includes(message)]).toEqual([message, false])
    fill(ballast, freeShare)
    await vi.waitUntil(() => served.printed.stderr.includes(message), 300_000)
    expect([message, (await send()).status]).toEqual([message, status])
  }
  rmSync(ballast)
  await vi.waitUntil(async () => (await statusOf('/readyz')) === 200, 300_000)

  fill(ballast)
  const refused = [await send(), await send()]
  expect(refused.map(({ status, headers: said }) => [status, said.get('retry-after')])).toEqual([[503, '2'], [503, '2']])
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'full' })
  const questions = ['alerts', 'detection/rules', 'search?q=web', 'pipeline/metrics', 'audit'].map((path) => `/v1/${path}`)
  for (const path of ['/healthz', `${rulePath}/matches`, ...questions]) expect([path, await statusOf(path)]).toEqual([path, 200])
  // The files of the database may still have some room in themselves, so a few changes may be made yet; each 200 is true.
  let title = await titleOfRule()
  await untilRefused(async () => {
    const next = `${title}.`
    const response = await changeTitle(next)
    if (response.status === 200) title = next
    return response
  })
  await untilRefused(() => requestLogin(url, readFirstCredentials(served)))
  await vi.waitUntil(async () => {
    expect(await statusOf('/v1/search?q=web')).toBe(200)
    return served.printed.stderr.includes('a search could not be recorded in the audit trail')
  }, 300_000)

  rmSync(ballast)
  await vi.waitUntil(async () => (await statusOf('/readyz')) === 200, 300_000)
  expect((await send()).status).toBe(202)
  // What was refused is not there, what was acknowledged is.
  await vi.waitUntil(async () => (await matchCount()) === 80, 300_000)
  expect(await titleOfRule()).toBe(title)
  expect(await changeTitle('Changed again')).toMatchObject({ status: 200 })
  expect(served.printed.stderr).not.toContain('request failed')

  // It ends as it should on a full disk too, and the next one finds all that was acknowledged.
  fill(ballast)
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
  rmSync(ballast)
  served = startServerProcess(options, onThatDisk)
  ;({ url } = await waitForReady(served))
  expect([await matchCount(), (await send()).status]).toEqual([80, 202])
})

/** Repeats a request until it is refused for want of space. */
async function untilRefused(request: () => Promise<Response>): Promise<void> {
  await vi.waitUntil(async () => {
    const { status } = await request()
    expect([200, 503]).toContain(status)
    return status === 503
  }, 300_000)
}

/** Writes until the disk has less than a share of its space free, or takes nothing more. */
function fill(path: string, freeShare = 0): void {
  const file = openSync(path, 'w')
  const hasMore = (): boolean => {
    const { bavail, blocks } = statfsSync(dirname(path))
    return freeShare === 0 || bavail >= blocks * freeShare
  }
  try {
    while (hasMore()) writeSync(file, Buffer.alloc(4_096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    closeSync(file)
  }
}
