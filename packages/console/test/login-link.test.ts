import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, buildSite, lacksBrowser } from './open-console.ts'

const program = join(import.meta.dirname, '..', '..', 'cli/src/main.ts')

describe.skipIf(lacksBrowser)('the login link of the demo in a browser', () => {
  let demo: ChildProcess
  let browser: Browser
  let link: string

  beforeAll(async () => {
    buildSite()
    const child = spawn(process.execPath, [program, 'serve', '--demo', '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    demo = child
    link = await new Promise<string>((resolve, reject) => {
      let printed = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        const [, address] = /^Open (\S+)$/m.exec(printed) ?? []
        if (address !== undefined) resolve(address)
      })
      child.once('exit', () => reject(new Error(`the demo ended: ${printed}`)))
    })
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    const closed = new Promise((resolve) => demo.once('close', resolve))
    demo.kill('SIGINT')
    await closed
  })

  test('opens the dashboard once and leaves the address; a second time elsewhere it leads to the login, which says why', async () => {
    const page = await browser.newPage()
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    expect(page.url()).not.toContain('#login')
    // The link is used up, the session of the cookie is not.
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('navigation').first().waitFor()
    const elsewhere = await (await browser.newContext()).newPage()
    await elsewhere.goto(link)
    await elsewhere.getByText('This link was used before').waitFor()
    expect(await elsewhere.getByLabel('Password').count()).toBe(1)
    expect(elsewhere.url()).not.toContain('#login')
  }, 60_000)
})
