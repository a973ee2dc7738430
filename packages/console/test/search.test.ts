import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const rule = `title: Program
id: 00000000-0000-4000-8000-000000000000
status: stable
level: low
logsource: { category: process_creation, product: windows }
detection:
  selection: { Image|endswith: \\tool.exe }
  condition: selection
`

const logsource = { category: 'process_creation', product: 'windows' }
const users = ['alice', 'bob', 'carol']
const eventsOfUser = 40
const now = Date.now()
/** Events of three users in turn over the last two hours, on two hosts. */
const events = Array.from({ length: users.length * eventsOfUser }, (_, index) => ({
  '@timestamp': new Date(now - 60_000 * (1 + index)).toISOString(),
  '_logsource': logsource,
  'Image': index === 0 ? 'C:\\tool.exe' : 'C:\\other.exe',
  'Computer': `ws-${index % 2}`,
  'User': users[index % users.length],
  'CommandLine': `run ${index}`,
}))

describe.skipIf(lacksBrowser)('the page Timeline search in a browser', () => {
  let world: Console
  let watched: WatchedPage

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest(events, 1)
    watched = await openPage(world)
    await logIn(world, watched.page, '/search')
  })
  afterAll(async () => await world?.close())

  const search = () => new URL(watched.page.url()).searchParams
  const input = () => watched.page.getByRole('combobox', { name: 'Query' })
  const waitForCount = async (count: number): Promise<void> => await watched.page.getByText(new RegExp(`^${count} events ·`)).waitFor()
  /** Opens the page as a link would, whatever an earlier test or try left. */
  const open = async (parameters: string, count: number): Promise<void> => {
    await watched.page.goto(`${world.origin}/search${parameters}`)
    await waitForCount(count)
  }

  /** Sends an event that is of now. */
  const arrive = async (user: string, command: string, image = 'C:\\other.exe'): Promise<void> => {
    const event = { '_logsource': logsource, 'Image': image, 'Computer': 'ws-9', 'User': user, 'CommandLine': command }
    await world.ingest([event], 1)
  }

  test('a query is searched for after a pause, and is in the address', async () => {
    const { page } = watched
    await open('', events.length)
    await page.keyboard.press('/')
    await expect.poll(() => input().evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('User:alice')
    await waitForCount(eventsOfUser)
    expect(search().get('q')).toBe('User:alice')
    await page.reload()
    await waitForCount(eventsOfUser)
    expect(await input().inputValue()).toBe('User:alice')
  })

  test('an error is shown at its place and not sent', async () => {
    const { page } = watched
    await open('?q=User:alice', eventsOfUser)
    await input().fill('User:alice AND )')
    await page.getByRole('alert').getByText('Column 16:').waitFor()
    expect(search().get('q')).toBe('User:alice')
    const caret = (await page.getByText('^', { exact: true }).boundingBox())!
    const box = (await input().boundingBox())!
    const width = caret.width
    expect(Math.abs(caret.x - (box.x + 15 * width))).toBeLessThanOrEqual(1)
    await input().fill('User:alice')
    await waitForCount(eventsOfUser)
  })

  test('an event is opened by keyboard, and its values narrow the query', async () => {
    const { page } = watched
    await open('?q=User:alice', eventsOfUser)
    await page.getByRole('row', { name: /run 0/ }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Event' })
    await panel.getByText('As it arrived').waitFor()
    const first = search().get('event')
    await page.keyboard.press('j')
    await expect.poll(() => search().get('event')).not.toBe(first)
    await panel.getByRole('button', { name: 'Only with Computer = ws-1' }).click()
    await waitForCount(eventsOfUser / 2)
    await expect.poll(() => search().get('q')).toBe('User:alice AND Computer:ws-1')
    await page.goBack()
    await waitForCount(eventsOfUser)
    await panel.getByRole('button', { name: 'Without User = alice' }).click()
    await page.getByText('No event in this range matches.').waitFor()
    await panel.getByRole('button', { name: 'All of alice' }).click()
    await waitForCount(eventsOfUser)
    expect(search().get('q')).toBe('user:alice')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => search().get('event')).toBeNull()
  })

  test('completes fields and values by keyboard alone', async () => {
    const { page } = watched
    await open('', events.length)
    await page.keyboard.press('/')
    await expect.poll(() => input().evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('Us')
    await page.getByRole('option', { name: /^User/ }).waitFor()
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('option', { name: /^carol/ }).waitFor()
    expect(await input().inputValue()).toBe('User:')
    expect(await findViolationsOfOpenList()).toEqual([])
    await page.keyboard.type('car')
    await page.getByRole('option', { name: /^alice/ }).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: /^carol/ }).waitFor()
    for (const key of ['ArrowDown', 'Tab']) await page.keyboard.press(key)
    await waitForCount(eventsOfUser)
    await expect.poll(() => search().get('q')).toBe('User:carol')
  })

  test('facets count values, and each narrows the query', async () => {
    const { page } = watched
    await open('?q=User:alice', eventsOfUser)
    const facets = page.getByRole('complementary', { name: 'Values of the events' })
    await facets.getByText('ws-1').hover()
    await facets.getByRole('button', { name: 'Without Computer = ws-1' }).click()
    await waitForCount(eventsOfUser / 2)
    await expect.poll(() => search().get('q')).toBe('User:alice AND NOT Computer:ws-1')
    expect(await findViolationsOfThemes(page)).toEqual([])
    // A click on the value itself adds it, and with Alt excludes it.
    await open('?q=User:alice', eventsOfUser)
    await facets.getByRole('button', { name: `ws-1 ${eventsOfUser / 2} 50 %` }).click()
    await expect.poll(() => search().get('q')).toBe('User:alice AND Computer:ws-1')
    await page.goBack()
    await waitForCount(eventsOfUser)
    await facets.getByRole('button', { name: /^ws-0/ }).click({ modifiers: ['Alt'] })
    await expect.poll(() => search().get('q')).toBe('User:alice AND NOT Computer:ws-0')
  })

  test('a query that finds nothing says where it looked, and where else it may', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/search?q=Computer:alice`)
    await page.getByText('Without events there are no values to show.').waitFor()
    await page.getByRole('button', { name: 'In any field: alice' }).click()
    await waitForCount(eventsOfUser)
    expect(search().get('q')).toBe('alice')
    await page.goto(`${world.origin}/search?q=nowhere`)
    await page.getByText('Every value of each event was searched for nowhere, also as a part of a longer one.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove all' }).press('Enter')
    await waitForCount(events.length)
  })

  test('bars are split by a field that divides nothing by itself, by its name', async () => {
    const { page } = watched
    await open('', events.length)
    await page.getByRole('button', { name: 'Split the bars' }).click()
    await page.getByRole('menuitemradio', { name: 'Another field…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Split the bars' })
    expect(await findViolations(page)).toEqual([])
    await dialog.getByLabel('Field').fill('CommandLine')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Values of CommandLine' }).waitFor()
    expect(search().get('split')).toBe('CommandLine')
  })

  test('bars are split by a field of the events, and the address keeps it', async () => {
    const { page } = watched
    await open('', events.length)
    await page.getByRole('button', { name: 'Split the bars' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'User', exact: true }).press('Enter')
    const legend = page.getByRole('list', { name: 'Values of User' })
    for (const user of users) await legend.getByText(user).waitFor()
    expect(search().get('split')).toBe('User')
    await page.reload()
    await legend.getByText('alice').waitFor()
    await page.getByRole('img', { name: /most at/ }).hover()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'By User' }).click()
    await page.getByRole('menuitemradio', { name: 'By severity' }).click()
    await legend.waitFor({ state: 'detached' })
  })

  test('marking bars narrows the range, and z widens it', async () => {
    const { page } = watched
    await open('?from=-4h', events.length)
    const chart = page.getByRole('img', { name: /most at/ })
    const { x, y, width } = (await chart.boundingBox())!
    await page.mouse.move(x + width * 0.8, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.9, y + 20, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => search().get('from')).toMatch(/Z$/)
    const from = search().get('from')!
    await page.keyboard.press('z')
    await expect.poll(() => Date.parse(search().get('from')!)).toBeLessThan(Date.parse(from))
  })

  test('the panel of an alert leads to the events around its own', async () => {
    const { page } = watched
    const { alerts } = await world.call<{ readonly alerts: readonly { readonly id: string }[] }>('/v1/alerts?limit=1')
    await page.goto(`${world.origin}/alerts?alert=${alerts[0]!.id}`)
    await page.getByRole('link', { name: 'Show them in the timeline' }).click()
    const panel = page.getByRole('complementary', { name: 'Event' })
    await panel.getByText('As it arrived').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await panel.getByRole('region', { name: 'In 1 alert' }).getByRole('link').click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/alerts/${alerts[0]!.id}`)
  })

  test('the surroundings of an event are chosen, and have an address', async () => {
    const { page } = watched
    await open('?q=User:alice', eventsOfUser)
    await page.getByRole('row', { name: /run 30/ }).click()
    const panel = page.getByRole('complementary', { name: 'Event' })
    const around = panel.locator('section', { hasText: 'Events around it' })
    await around.getByRole('button', { name: /run 28/ }).waitFor()
    await around.getByLabel('What they share').selectOption('User')
    await around.getByRole('button', { name: /run 27/ }).waitFor()
    expect(await around.getByRole('button', { name: /run 28/ }).count()).toBe(0)
    await around.getByLabel('Before and after').selectOption('5 minutes')
    await expect.poll(() => around.getByRole('button').count()).toBe(3)
    expect(await findViolationsOfThemes(page)).toEqual([])
    const id = search().get('event')!
    await page.goto(`${world.origin}/search?around=${encodeURIComponent(id)}`)
    await panel.getByText('As it arrived').waitFor()
    expect([search().get('around'), search().get('event'), search().get('q'), search().get('sort')]).toEqual([null, id, 'host:ws-0', 'timestamp:asc'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('m')
    await page.getByText('Copied').first().waitFor()
  })

  test('new events are followed by keyboard, held, read and left', async () => {
    const { page } = watched
    await open('?q=User:dora', 0)
    await page.keyboard.press('l')
    await page.getByRole('heading', { level: 1, name: 'New events' }).waitFor()
    await page.getByText('0 events', { exact: true }).waitFor()
    expect(search().get('live')).toBe('1')
    await arrive('dora', 'first')
    await page.getByRole('row', { name: /windows.*first/ }).waitFor()
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await arrive('erin', 'of another user')
    await arrive('dora', 'second')
    await page.getByText('1 event · 1 more waits', { exact: true }).waitFor()
    expect(await page.getByRole('row', { name: /second/ }).count()).toBe(0)
    await page.keyboard.press('p')
    await page.getByText('2 events', { exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Event' })
    await panel.getByText('As it arrived').waitFor()
    expect(await panel.getByRole('heading', { level: 2 }).textContent()).toContain('second')
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('l')
    await waitForCount(2)
    expect(search().get('live')).toBeNull()
  })

  test('new events name the rules that match them', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/search?q=User:gina&live=1`)
    await page.getByText('0 events', { exact: true }).waitFor()
    await arrive('gina', 'quiet')
    await arrive('gina', 'loud', 'C:\\tool.exe')
    await page.getByRole('row', { name: /Program.*loud/ }).waitFor()
    expect(await page.getByRole('row', { name: /Program/ }).count()).toBe(1)
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('new events are followed by mouse, and a value of one narrows what is followed', async () => {
    const { page } = watched
    await open('?q=User:frank', 0)
    await page.getByRole('button', { name: 'Follow new events' }).click()
    await page.getByText('0 events', { exact: true }).waitFor()
    await arrive('frank', 'of-frank')
    await page.getByRole('row', { name: /of-frank/ }).click()
    await page.getByRole('complementary', { name: 'Event' }).getByRole('button', { name: 'Without CommandLine = of-frank' }).click()
    await page.getByText('0 events', { exact: true }).waitFor()
    expect(search().get('q')).toBe('User:frank AND NOT CommandLine:of-frank')
    await arrive('frank', 'of-frank')
    await arrive('frank', 'another')
    await page.getByRole('row', { name: /another/ }).waitFor()
    expect(await page.getByRole('row', { name: /of-frank/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Search stored events' }).click()
    await page.getByText(/^1 event ·/).waitFor()
  })

  test('events are shown as lines of a log, which wrap, with the keys and the panel of the table, and the choice is kept', async () => {
    const { page } = watched
    const words = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ')
    await arrive('lena', 'short')
    await arrive('lena', words)
    await open('?q=User:lena', 2)
    await page.keyboard.press('v')
    await expect.poll(() => search().get('layout')).toBe('log')
    const lines = page.getByRole('grid', { name: 'Events' }).getByRole('row')
    await lines.filter({ hasText: 'word99' }).waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(0)
    const heights = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect()).map(({ top, height }) => ({ top, height })))
    // The first wraps, and the second begins where it ends.
    expect(heights[0]!.height).toBeGreaterThan(60)
    expect(heights[1]!.top).toBe(heights[0]!.top + heights[0]!.height)
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Event' })
    await panel.getByRole('heading', { level: 2 }).filter({ hasText: 'short' }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await open('?q=User:lena', 2)
    await lines.filter({ hasText: 'word99' }).waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(0)
    // Hundreds of events have few elements, and the last can be reached.
    await open('?layout=log&q=User:(alice OR bob OR carol OR lena)', events.length + 2)
    expect(await lines.count()).toBeLessThanOrEqual(80)
    const selected = page.locator('[role=row][aria-selected=true]')
    await expect.poll(async () => {
      await page.keyboard.press('End')
      return (await selected.allInnerTexts()).join()
    }).toContain('run 119')
    await page.keyboard.press('Home')
    await selected.filter({ hasText: 'word99' }).waitFor()
    await page.keyboard.press('l')
    await page.getByRole('heading', { level: 1, name: 'New events' }).waitFor()
    await page.getByText('0 events', { exact: true }).waitFor()
    await arrive('lena', 'followed')
    await lines.filter({ hasText: 'followed' }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Events as a table' }).click()
    await page.getByRole('columnheader', { name: /^Time/ }).waitFor()
    expect(search().get('layout')).toBe('table')
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })

  /** With the focus in the field: the list closes without it. */
  async function findViolationsOfOpenList(): Promise<string[]> {
    const found = await findViolations(watched.page)
    await input().focus()
    return found
  }
})
