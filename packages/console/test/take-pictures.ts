/**
 * Takes pictures of every page in both themes: with the data of the demo, of a new tenant, and while the server fails; and in Korean.
 * The pages that are used most are taken at narrow widths and in each density as well, and the overview of the portal as it prints.
 *
 *     node packages/console/test/take-pictures.ts DIR
 *
 * `DIR/alerts.png` is what `docs/pictures` holds. The pictures are for people: look at each after a change of what pages share.
 */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { browserPath, buildSite, logIn, openConsole } from './open-console.ts'

const [, , folder = 'pictures'] = process.argv
const root = join(import.meta.dirname, '..', '..', '..')
const viewport = { width: 1440, height: 900 }
const themes = ['dark', 'light'] as const
type Theme = (typeof themes)[number]

/** A demo has no history: over a day its charts are one bar. */
const recent = 'from=-15m'

/** Pages by the name of their picture. */
const addresses = {
  'dashboard': `/?${recent}`, 'alerts': `/alerts?${recent}`, 'incidents': '/incidents', 'search': `/search?${recent}`,
  'assets': '/assets', 'rules': '/rules', 'matrix': '/rules/matrix', 'connectors': '/connectors', 'pipeline': '/pipeline',
  'health': '/health', 'compliance': '/compliance', 'reports': '/reports',
  'settings-account': '/settings/account', 'settings-general': '/settings/general', 'settings-users': '/settings/users',
  'settings-roles': '/settings/roles', 'settings-api-keys': '/settings/api-keys', 'settings-webhooks': '/settings/webhooks',
  'settings-sign-on': '/settings/sign-on', 'settings-provisioning': '/settings/provisioning', 'search-split': '/search?split=User',
  'search-log': '/search?layout=log', 'exposure': '/assets?tab=exposure', 'findings': '/assets?tab=findings',
  'connector-new': '/connectors/new',
  'settings-channels': '/settings/channels', 'schedules': '/reports?view=schedules', 'rule-new': '/rules/new',
  'settings-response': '/settings/response', 'settings-branding': '/settings/branding', 'alerts-groups': '/alerts?group=rule',
  'settings-automation': '/settings/automation', 'settings-identities': '/settings/identities', 'collectors': '/connectors/collectors',
  'settings-indicators': '/settings/indicators', 'settings-subdomains': '/settings/subdomains', 'settings-requests': '/settings/requests',
  'settings-rule-pipelines': '/settings/rule-pipelines', 'portal-compliance': '/portal/compliance',
  'settings-grouping': '/settings/grouping', 'settings-retention': '/settings/retention', 'settings-audit': '/settings/audit',
  'portal': '/portal', 'portal-alerts': '/portal/alerts', 'portal-search': '/portal/search', 'portal-assets': '/portal/assets',
  'portal-connectors': '/portal/connectors', 'portal-reports': '/portal/reports', 'portal-settings': '/portal/settings/account',
} as const

buildSite()
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-background-networking'] })
for (const state of ['full', 'empty', 'error', 'korean', 'narrow', 'density', 'print']) mkdirSync(join(folder, state), { recursive: true })

const demo = spawn(process.execPath, [join(root, 'packages/cli/src/main.ts'), 'serve', '--demo', '--listen', '127.0.0.1:0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' })
  await page.goto(await readLink())
  await page.getByRole('heading', { level: 1 }).waitFor()
  const { origin } = new URL(page.url())
  await takeAll(page, origin, 'full')
  await takeWithPanel(page, `${origin}/alerts?${recent}`, 'alerts')
  await takeWithPanel(page, `${origin}/portal/alerts`, 'portal-alerts')
  await takeWithPanel(page, `${origin}/assets`, 'assets')
  await takeWithPanel(page, `${origin}/search`, 'search')
  await takeWithPanel(page, `${origin}/incidents`, 'incidents')
  await takeWithPanel(page, `${origin}/connectors`, 'connectors')
  await takeWithPanel(page, `${origin}/compliance`, 'compliance')
  await takeEntry(page, `${origin}/alerts`, 'alert')
  await takeEntry(page, `${origin}/incidents`, 'incident')
  await takeRule(page, origin)
  await takeNarrow(page, origin)
  await takeDensities(page, origin)
  await takePrinted(page, origin)
  await page.evaluate(() => localStorage.setItem('tripline.look', JSON.stringify({ language: 'ko' })))
  await takeAll(page, origin, 'korean', ['dark'])
  await takeWithPanel(page, `${origin}/alerts?${recent}`, 'alerts', join(folder, 'korean'), ['dark'])
  await takeWithPanel(page, `${origin}/portal/alerts`, 'portal-alerts', join(folder, 'korean'), ['dark'])
  await page.evaluate(() => localStorage.removeItem('tripline.look'))
  await page.route('**/v1/**', async (route) => {
    const isSession = route.request().url().includes('/v1/auth/')
    const body = { error: { code: 'INTERNAL_ERROR', message: 'the database is locked', request_id: '0199-example' } }
    await (isSession ? route.continue() : route.fulfill({ status: 500, json: body }))
  })
  await takeAll(page, origin, 'error')
} finally {
  demo.kill('SIGTERM')
}
const world = await openConsole({})
try {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' })
  await page.goto(world.origin)
  await page.getByLabel('Password').waitFor()
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await page.screenshot({ path: join(folder, 'empty', `login-${theme}.png`) })
  }
  await logIn(world, page, '/')
  await takeAll(page, world.origin, 'empty')
} finally {
  await world.close()
  await browser.close()
}

/** The link that the demo prints, which logs in once. */
async function readLink(): Promise<string> {
  for await (const line of createInterface({ input: demo.stdout })) {
    const [link] = /http:\/\/127\.0\.0\.1:\d+\/\S*#login=\S+/.exec(line) ?? []
    if (link !== undefined) {
      demo.stdout.resume()
      return link
    }
  }
  throw new Error('the demo printed no link')
}

async function takeAll(page: Page, origin: string, state: string, shown: readonly Theme[] = themes): Promise<void> {
  for (const [name, path] of Object.entries(addresses)) {
    await page.goto(origin + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await takeBoth(page, join(folder, state, name), shown)
  }
}

/** The pages that are used most, at the widths of small screens. */
async function takeNarrow(page: Page, origin: string): Promise<void> {
  for (const width of [1280, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    for (const name of ['dashboard', 'alerts', 'search', 'rules', 'connectors', 'pipeline', 'portal'] as const) {
      await page.goto(origin + addresses[name])
      await page.getByRole('heading', { level: 1 }).waitFor()
      await takeBoth(page, join(folder, 'narrow', `${name}-${width}`), ['dark'])
    }
    await takeWithPanel(page, `${origin}/alerts`, `alerts-${width}`, join(folder, 'narrow'), ['dark'])
    await takeWithPanel(page, `${origin}/search`, `search-${width}`, join(folder, 'narrow'), ['dark'])
    await takeRule(page, origin, join(folder, 'narrow', `rule-${width}`), ['dark'])
  }
  await page.setViewportSize(viewport)
}

/** The lists in each density. */
async function takeDensities(page: Page, origin: string): Promise<void> {
  for (const density of ['compact', 'comfortable']) {
    await page.evaluate((chosen) => localStorage.setItem('tripline.look', JSON.stringify({ density: chosen })), density)
    for (const name of ['dashboard', 'search', 'rules'] as const) {
      await page.goto(origin + addresses[name])
      await page.getByRole('heading', { level: 1 }).waitFor()
      await takeBoth(page, join(folder, 'density', `${name}-${density}`), ['dark'])
    }
    await takeWithPanel(page, `${origin}/alerts`, `alerts-${density}`, join(folder, 'density'), ['dark'])
    await takeRule(page, origin, join(folder, 'density', `rule-${density}`), ['dark'])
  }
  await page.evaluate(() => localStorage.removeItem('tripline.look'))
}

/** What a customer prints: the overview on paper of A4, whatever the theme on the screen is. */
async function takePrinted(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/portal`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settle(page)
  await page.pdf({ path: join(folder, 'print', 'portal.pdf'), format: 'A4' })
  await page.setViewportSize({ width: 794, height: 1123 })
  await page.emulateMedia({ media: 'print' })
  await page.screenshot({ path: join(folder, 'print', 'portal.png'), fullPage: true })
  await page.emulateMedia({ media: null })
  await page.setViewportSize(viewport)
}

/** The page of the first rule of the list, with the events of its last matches. */
async function takeRule(page: Page, origin: string, path = join(folder, 'full', 'rule'), shown: readonly Theme[] = themes): Promise<void> {
  await page.goto(`${origin}/rules?sort=alerts_last_24h:desc`)
  await page.getByRole('row').nth(1).waitFor()
  for (const key of ['j', 'o']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Events of the last matches' }).click()
  await page.getByRole('status').getByText(/^(?:Matches|No match)/).first().waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await takeBoth(page, path, shown)
}

/** The page of the first entry of a list. */
async function takeEntry(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('row').nth(1).waitFor()
  for (const key of ['j', 'o']) await page.keyboard.press(key)
  await page.waitForURL(`${address}/*`)
  await takeBoth(page, join(folder, 'full', `${name}-page`))
}

/** A list with the panel of its third row, or of its last. */
async function takeWithPanel(
  page: Page, address: string, name: string, into = join(folder, 'full'), shown: readonly Theme[] = themes,
): Promise<void> {
  await page.goto(address)
  await page.getByRole('row').nth(1).waitFor()
  for (const key of ['j', 'j', 'j', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('complementary').waitFor()
  await takeBoth(page, join(into, `${name}-panel`), shown)
  if (name === 'alerts' && shown === themes) copyFileSync(join(into, 'alerts-panel-dark.png'), join(folder, 'alerts.png'))
}

async function takeBoth(page: Page, path: string, shown: readonly Theme[] = themes): Promise<void> {
  for (const theme of shown) {
    // As a person does: charts read the colours anew then.
    if ((await page.evaluate(() => document.documentElement.dataset['theme'])) !== theme) await page.keyboard.press('Shift+D')
    await page.waitForFunction((next) => document.documentElement.dataset['theme'] === next, theme)
    await settle(page)
    await page.screenshot({ path: `${path}-${theme}.png` })
  }
}

/** Waits until the page has asked for all that it shows, and has it; live updates go on, so it waits a second at most for silence. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => {})
  // What stands for lines that are being loaded says so to screen readers.
  await page.getByRole('status').filter({ hasText: /^(?:Loading|불러오는 중)$/ }).first().waitFor({ state: 'detached' })
}
