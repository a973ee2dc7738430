import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, buildSite, lacksBrowser } from './open-console.ts'

const program = join(import.meta.dirname, '..', '..', 'cli/src/main.ts')

describe.skipIf(lacksBrowser)('the login link of the demo in a browser', () => {
  let demo: ChildProcess
  let browser: Browser
  let link: string
  let page: Page

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
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser.close()
    const closed = new Promise((resolve) => demo.once('close', resolve))
    demo.kill('SIGINT')
    await closed
  })

  test('opens the dashboard once and leaves the address; a second time elsewhere it leads to the login, which says why', async () => {
    await page.goto(link)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
    expect(page.url()).toMatch(/\/\?from=-15m$/)
    // The link is used up, the session of the cookie is not.
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('navigation').first().waitFor()
    const elsewhere = await (await browser.newContext()).newPage()
    await elsewhere.goto(link)
    await elsewhere.getByText('This link was used before').waitFor()
    expect(await elsewhere.getByLabel('Password').count()).toBe(1)
    expect(elsewhere.url()).not.toContain('#login')
  })

  test('says what is a demo, and turns green once an own event arrives, which leads to its alert', async () => {
    const main = page.getByRole('main')
    const demoSteps = main.getByRole('region', { name: 'This is a demo' })
    await demoSteps.getByText('samples from machines that do not exist').waitFor()
    await main.getByRole('region', { name: 'Connectors' }).getByText('Sample events').waitFor()
    await demoSteps.getByText('Waiting for the first event').waitFor()
    const steps = demoSteps.getByRole('listitem')
    const sizes = await steps.evaluateAll((all) => all.map(({ clientWidth, clientHeight }) => `${clientWidth} ${clientHeight}`))
    expect(new Set(sizes).size).toBe(1)
    await demoSteps.getByRole('button', { name: 'Create a connector' }).click()
    const command = await demoSteps.locator('pre').innerText()
    const printed = execFileSync('sh', ['-c', command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    expect(JSON.parse(printed)).toMatchObject({ accepted: 1, rejected: 0 })
    await demoSteps.locator('li[data-done]').nth(2).waitFor()
    await demoSteps.getByRole('link', { name: 'The alert about web-1' }).click()
    await page.getByRole('row', { name: /web-1/ }).first().waitFor()
    await page.goBack()
    await demoSteps.getByRole('button', { name: 'Hide' }).click()
    await demoSteps.waitFor({ state: 'detached' })
    await page.reload()
    await main.getByRole('region', { name: 'Connectors' }).waitFor()
    expect(await demoSteps.count()).toBe(0)
  })
})
