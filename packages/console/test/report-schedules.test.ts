import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { addUser, lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const hostile = '<img src=x onerror=alert(1)>'

type Schedules = { readonly schedules: readonly { readonly [name: string]: unknown }[] }

describe.skipIf(lacksBrowser)('schedules of reports in a browser', () => {
  let world: Console
  let watched: WatchedPage
  const schedules = async () => (await world.call<Schedules>('/v1/report-schedules')).schedules

  beforeAll(async () => {
    world = await openConsole({}, ['--public-url', 'https://tripline.example'])
    await world.call('/v1/settings', { method: 'PATCH', body: { timezone: 'Asia/Seoul' } })
    const settings = { type: 'email', host: 'mail.example', from: 'soc@example.org', to: ['all@example.org'] }
    await world.call('/v1/channels', { method: 'POST', body: { name: `Mail ${hostile}`, settings } })
    watched = await openPage(world)
    await logIn(world, watched.page, '/reports')
  })
  afterAll(async () => await world?.close())

  const panel = (name: string) => watched.page.getByRole('complementary', { name })
  const dialog = () => watched.page.getByRole('dialog')

  test('a schedule is created with its times, channels and recipients', async () => {
    const { page } = watched
    await page.getByRole('navigation', { name: 'Views of reports' }).getByRole('button', { name: 'Schedules' }).click()
    await page.getByText('No report is scheduled yet.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('n')
    await dialog().getByLabel('Name').fill('Monday')
    await dialog().getByLabel('Time', { exact: true }).fill('07:30')
    await dialog().getByLabel(`Mail ${hostile} (mail)`).check()
    await dialog().getByLabel('Recipients').fill('ciso@example.org, ceo@example.org')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Save' }).click()
    await panel('Monday').getByText('Monday at 07:30').waitFor()
    await panel('Monday').getByRole('heading', { name: 'Next runs (Asia/Seoul)' }).waitFor()
    expect(await panel('Monday').getByRole('listitem').allTextContents()).toEqual(Array.from({ length: 5 }, () => expect.stringMatching(/ 07:30$/)))
    expect(await schedules()).toMatchObject([{
      name: 'Monday', kind: 'soc_weekly', cron: '30 7 * * 1', days: 7, recipients: ['ciso@example.org', 'ceo@example.org'], timezone: 'Asia/Seoul',
    }])
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('times that would never run are refused beside the form', async () => {
    const { page } = watched
    await panel('Monday').getByRole('button', { name: 'Edit' }).click()
    await dialog().getByLabel('Repeats').selectOption('custom')
    expect(await dialog().getByLabel('Cron expression').inputValue()).toBe('30 7 * * 1')
    await dialog().getByLabel('Cron expression').fill('0 8 31 4 *')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().getByRole('alert').getByText(/would never run/).waitFor()
    await dialog().getByLabel('Repeats').selectOption('monthly')
    await dialog().getByLabel('Day of the month').fill('15')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await panel('Monday').getByText('Day 15 of the month at 07:30').waitFor()
    await page.getByRole('row', { name: /Monday On .*Day 15/ }).waitFor()
    // What, when in the tenant's time zone, to whom and as what stand in the list.
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /Day 15 .* 07:30 Asia\/Seoul ciso@example\.org, ceo@example\.org PDF/ }).waitFor()
    await page.getByRole('row', { name: /Monday/ }).click()
    expect(await schedules()).toMatchObject([{ cron: '30 7 15 * *' }])
  })

  test('it is paused, goes on, and runs at once into the history', async () => {
    const { page } = watched
    await panel('Monday').getByRole('button', { name: 'Pause' }).click()
    await panel('Monday').getByText('It does not run while it is paused.').waitFor()
    await panel('Monday').getByRole('button', { name: 'Resume' }).click()
    await panel('Monday').getByRole('listitem').first().waitFor()
    await panel('Monday').getByRole('button', { name: 'Run now' }).click()
    await panel('Weekly SOC report').getByText('Schedule: Monday').waitFor()
    await panel('Weekly SOC report').getByRole('heading', { name: 'Preview' }).waitFor()
    expect(new URL(page.url()).search).toMatch(/^\?report=/)
  })

  test('a report is deleted after a question', async () => {
    const { page } = watched
    await panel('Weekly SOC report').getByRole('button', { name: 'Delete' }).click()
    await dialog().getByText('The report Weekly SOC report and its file are deleted for good.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No report was made yet.').waitFor()
    expect(await page.getByRole('complementary').count()).toBe(0)
  })

  test('a schedule is deleted after a question', async () => {
    const { page } = watched
    await page.getByRole('navigation', { name: 'Views of reports' }).getByRole('button', { name: 'Schedules' }).click()
    await page.getByRole('row', { name: /Monday/ }).click()
    await panel('Monday').getByRole('button', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No report is scheduled yet.').waitFor()
    expect(await schedules()).toEqual([])
  })

  test('a customer reads schedules in the portal and changes nothing', async () => {
    await world.call('/v1/report-schedules', { method: 'POST', body: { name: 'Monthly', kind: 'executive', cron: '0 8 1 * *' } })
    const credentials = await addUser(world, { email: 'customer@example.org', roles: ['viewer'], interface: 'portal' })
    const { page, context, problems } = await openPage(world)
    await logIn({ ...world, credentials }, page, '/')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('button', { name: 'Schedules' }).click()
    await page.getByRole('row', { name: /Monthly/ }).click()
    await page.getByRole('complementary', { name: 'Monthly' }).getByText('Next runs (Asia/Seoul)').waitFor()
    expect(await page.getByRole('button', { name: /New schedule|Run now|Edit|Pause/ }).count()).toBe(0)
    expect(problems).toEqual([])
    await context.close()
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
