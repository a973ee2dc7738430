import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000061
status: stable
level: medium
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const event = {
  '_logsource': { category: 'process_creation', product: 'windows' }, 'Image': 'C:\\Tools\\tool.exe', 'Computer': 'wks-1.example.com',
  'User': 'a.meier', 'CommandLine': 'tool.exe /run',
}
/** Names as an attacker writes them. */
const hostile = '<img src=x onerror=alert(1)>'

describe.skipIf(lacksBrowser)('playbooks, collectors and what is known beside the events, in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest([event], 1)
    watched = await openPage(world)
    await logIn(world, watched.page, '/settings/identities')
  })
  afterAll(async () => await world?.close())

  const open = async (section: string): Promise<void> => {
    await watched.page.goto(`${world.origin}/settings/${section}`)
    await watched.page.getByRole('heading', { level: 2 }).first().waitFor()
  }

  test('identities are imported from a file, which tells what it refused, and one is marked as privileged', async () => {
    const { page } = watched
    const csv = `name,department,is_privileged\nc.keller,Finance,false\n${hostile},IT,false\n,nobody,false\n`
    await page.getByLabel('File').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText(/2 new, 0 changed, 1 refused/).waitFor()
    await page.getByText(/^Line \d+:/).waitFor()
    await page.getByRole('row', { name: /c\.keller Finance/ }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('checkbox', { name: 'c.keller is privileged' }).check()
    await page.getByText('Saved.').waitFor()
    type Identities = { readonly identities: readonly { readonly id: string; readonly name: string; readonly is_privileged: boolean }[] }
    expect((await world.call<Identities>('/v1/identities?q=keller')).identities).toMatchObject([{ is_privileged: true }])
    await page.getByLabel('Search', { exact: true }).fill('onerror')
    await page.getByRole('row', { name: /c\.keller/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Delete ${hostile}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No entry matches what is searched.').waitFor()
    expect((await world.call<Identities>('/v1/identities')).identities.map(({ name }) => name)).not.toContain(hostile)
  })

  test.for([
    ['indicators', 'type,value,source,confidence\nip,203.0.113.9,feed,80\n', /203\.0\.113\.9 feed Valid/],
    ['subdomains', 'name,ip\nmail.example.com,192.0.2.9\n', /mail\.example\.com.*192\.0\.2\.9/],
  ] as const)('%s are imported and listed', async ([section, csv, row]) => {
    const { page } = watched
    await open(section)
    await page.getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Import' }).press('Enter')
    await page.getByText('1 row: 1 new, 0 changed, 0 refused.').waitFor()
    await page.getByRole('row', { name: row }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a request of a person is entered, changed, and its erasure needs the name typed', async () => {
    const { page } = watched
    await open('requests')
    await page.getByText('No request was entered yet.').waitFor()
    await page.getByRole('button', { name: 'New request' }).click()
    const dialog = page.getByRole('dialog', { name: 'New request' })
    await dialog.getByLabel('Person').fill('a.meier')
    await dialog.getByLabel('Type').selectOption('erasure')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Enter' }).click()
    await dialog.waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /Erasure GDPR/ })
    await row.getByLabel('State of the request of a.meier').selectOption('in_progress')
    await page.getByText('Saved.').waitFor()
    await row.getByRole('button', { name: 'Erase' }).click()
    const erasure = page.getByRole('dialog', { name: 'Erase the data of a.meier' })
    const button = erasure.getByRole('button', { name: 'Erase' })
    await expect.poll(() => button.isDisabled()).toBe(true)
    await erasure.getByLabel('Type a.meier to confirm').fill('a.meier')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await button.click()
    await erasure.getByText(/^Erased: \d+ events?, \d+ rows?\.$/).waitFor()
    await erasure.getByRole('button', { name: 'Close' }).last().click()
    const { alerts } = await world.call<{ readonly alerts: readonly { readonly event: { readonly user: string } }[] }>('/v1/alerts')
    expect(alerts.map(({ event: { user } }) => user)).not.toContain('a.meier')
  })

  test('a playbook is made of steps, begun from an alert by keyboard, and its run is listed', async () => {
    const { page } = watched
    await open('automation')
    await page.getByText('No playbook yet.').waitFor()
    await page.getByRole('button', { name: 'New playbook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New playbook' })
    await dialog.getByLabel('Name').fill('Look into it')
    await dialog.getByLabel('Text').fill('taken over by a playbook')
    await dialog.getByRole('button', { name: 'Add a step' }).click()
    await dialog.getByLabel('Step 2', { exact: true }).selectOption('set_status')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Look into it on an alert, by hand Comment, Set the status Active/ }).waitFor()
    await page.goto(`${world.origin}/alerts`)
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Look into it' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('Run the playbook')
    await page.getByRole('option', { name: /Run the playbook Look into it/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('The playbook Look into it has begun.').waitFor()
    type Alerts = { readonly alerts: readonly { readonly status: string }[] }
    await expect.poll(async () => (await world.call<Alerts>('/v1/alerts')).alerts[0]?.status).toBe('investigating')
    await open('automation')
    await page.getByRole('button', { name: 'Runs: 1' }).click()
    await page.getByRole('row', { name: /Done.*Comment: Done/ }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('row', { name: /Disabled/ }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No playbook yet.').waitFor()
  })

  test('a filter of a playbook that is no JSON is refused where it is written', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'New playbook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New playbook' })
    await dialog.getByLabel('Name').fill('Broken')
    await dialog.getByLabel('Text').fill('x')
    await dialog.getByLabel('Begins').selectOption('match')
    await dialog.getByLabel(/^Filter/).fill('{ severity')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await world.call<{ readonly playbooks: readonly object[] }>('/v1/playbooks')).toMatchObject({ playbooks: [] })
  })

  test('a collector is enrolled with a token that is shown once, renamed and retired', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/connectors`)
    await page.getByRole('button', { name: 'Collectors' }).click()
    await page.getByText('No collector is enrolled yet.').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New collector' })
    await dialog.getByLabel('Name').fill('Frankfurt')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText(`url: ${world.origin}`).waitFor()
    const commands = (await dialog.locator('pre').textContent()) ?? ''
    const [, token = ''] = /^tripline-collector enroll --token (\S+)\ntripline-collector run$/m.exec(commands) ?? []
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    const enrolment = { token, hostname: 'fra-1.example.com', version: '1.0.0', os: 'Debian 13', os_family: 'linux' }
    await world.call('/v1/collectors/enrol', { method: 'POST', body: enrolment })
    await page.reload()
    await page.getByRole('row', { name: /Frankfurt fra-1/ }).waitFor()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    const panel = page.getByRole('complementary', { name: 'Frankfurt' })
    await panel.getByText('It reads nothing yet.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await panel.getByLabel('Name').fill('Frankfurt 1')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Frankfurt 1/ }).waitFor()
    await page.getByRole('complementary', { name: 'Frankfurt 1' }).getByRole('button', { name: 'Retire' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click()
    await page.getByText('The collector is retired.').waitFor()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
