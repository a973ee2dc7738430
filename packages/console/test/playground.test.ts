import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { browserPath, lacksBrowser, openPage } from './open-console.ts'
import type { WatchedPage } from './open-console.ts'

const folder = join(import.meta.dirname, '..')
const files = join(folder, 'dist', 'playground')
const types: { readonly [extension: string]: string } = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2',
}
/** The files lie below a path, as on a page of a project. */
const base = '/sigma/'

describe.skipIf(lacksBrowser)('the playground as static files', () => {
  let server: Server
  let browser: Browser
  let watched: WatchedPage
  let origin = ''

  beforeAll(async () => {
    const vite = join(folder, 'node_modules/vite/bin/vite.js')
    const built = spawnSync(process.execPath, [vite, 'build', '--config', 'vite.playground.config.ts', '--logLevel', 'error'], { cwd: folder })
    if (built.status !== 0) throw new Error(`the playground cannot be built: ${String(built.stderr)}`)
    server = createServer(({ url = '' }, response) => {
      const path = normalize(new URL(url, 'http://localhost').pathname)
      const name = path === base ? 'index.html' : path.slice(base.length)
      try {
        response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream').end(readFileSync(join(files, name)))
      } catch {
        response.writeHead(404).end()
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-background-networking'] })
    watched = await openPage({ browser, origin })
    await watched.page.goto(origin + base)
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  const expectVerdict = async (text: string): Promise<void> => {
    await expect.poll(() => watched.page.getByRole('status').getByText(text, { exact: true }).count()).toBe(1)
  }

  test('shows an example, why it matches, and its tests', async () => {
    const { page } = watched
    await expectVerdict('Matches')
    // An example is one of a rule and events with which nothing is wrong.
    expect(await page.getByText(/The event does not tell its log source|problem/).count()).toBe(0)
    await page.getByRole('button', { name: 'Next event' }).click()
    await expectVerdict('No match')
    await page.getByText('2 tests of the rule, 0 failed').waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('a link carries rule and events, in the fragment alone', async () => {
    const { page } = watched
    const rule = 'title: 한국어\nlevel: low\nlogsource: { product: linux }\ndetection: { s: { a: b }, condition: s }\n'
    await page.getByRole('textbox', { name: 'Text of the rule' }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(rule)
    await page.getByLabel('Test events').fill('{ "a": "b" }')
    await page.getByRole('button', { name: 'Copy a link' }).click()
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#r=/)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.reload()
    await expectVerdict('Matches')
    await page.getByRole('textbox', { name: 'Text of the rule' }).getByText('한국어').waitFor()
    expect(requests.filter((url) => url.includes('r='))).toEqual([])
  })

  test('a correlation that its events complete matches, whichever of them is shown', async () => {
    const { page } = watched
    const rules = `title: Failed login\nname: failed\nlevel: low\nlogsource: { product: app }
detection: { s: { action: fail }, condition: s }\n---\ntitle: Many\nlevel: high
correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 5m, condition: { gte: 2 } }\n`
    const editor = page.getByRole('textbox', { name: 'Text of the rule' })
    await editor.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(rules)
    const event = '{"_logsource":{"product":"app"},"action":"fail","user":"ann","time":"2026-11-20T10:00:00Z"}'
    await page.getByLabel('Test events').fill(event)
    await expectVerdict('No match')
    await page.getByLabel('Test events').fill(`${event}\n${event}`)
    await expectVerdict('Matches')
    await page.getByRole('status').getByText('The correlation matches together with event 2, which completes it.').waitFor()
    await page.getByText('Event 1 of 2, 1 match').waitFor()
    // The address still has the link of before.
    await page.reload()
    await editor.getByText('한국어').waitFor()
  })

  test('another link in the address of the open page is read', async () => {
    const { page } = watched
    const shown = page.getByRole('textbox', { name: 'Text of the rule' })
    const link = page.url()
    await page.goto(origin + base)
    await shown.getByText('Encoded PowerShell').waitFor()
    await page.evaluate((address) => {
      location.href = address
    }, link)
    await shown.getByText('한국어').waitFor()
    expect(page.url()).toBe(link)
  })

  test('a link that was cut short says so, and what is too long for one makes none', async () => {
    const { page } = watched
    const link = page.url()
    // The page reads what its address becomes.
    await page.goto(link.slice(0, -20))
    await page.getByRole('alert').getByText(/^This link was cut short or changed/).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Test events').fill('x'.repeat(1_000_001))
    await page.getByRole('button', { name: 'Copy a link' }).click()
    await page.getByRole('alert').getByText('Rule and events are too long for a link, which holds 1,000,000 characters at most.').waitFor()
    await page.getByLabel('Test events').fill('{ "a": "b" }')
  })

  test('a telephone has all of its head within the window', async () => {
    const { page } = watched
    await page.setViewportSize({ width: 390, height: 844 })
    for (const name of ['Copy a link', '한국어']) {
      const box = await page.getByRole('button', { name }).boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390)
    }
    const note = page.getByText('The engine runs in this page: what you write is sent nowhere.')
    expect(await note.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  test('speaks Korean, and has a light theme', async () => {
    const { page } = watched
    await page.getByRole('button', { name: '한국어' }).click()
    await page.getByRole('heading', { name: 'Sigma 플레이그라운드' }).waitFor()
    await page.getByRole('button', { name: '밝은' }).click()
    expect(await findViolations(page)).toEqual([])
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
