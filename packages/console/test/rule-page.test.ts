import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolationsOfThemes } from './find-violations.ts'
import { lacksBrowser, logIn, openConsole, openPage } from './open-console.ts'
import type { Console, WatchedPage } from './open-console.ts'

const id = '00000000-0000-4000-8000-000000000002'
const rule = `title: Suspicious program
id: ${id}
status: stable
level: medium
tags: [attack.execution, attack.t1204]
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: \\tool.exe
  condition: selection
`

const toEvent = (index: number) => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: `wks-${index}.example.com`,
  User: 'EXAMPLE\\a.meier', CommandLine: `tool.exe /run ${index}`,
})

type Tested = { readonly results: readonly { readonly matched: boolean; readonly explain: unknown }[] }

describe.skipIf(lacksBrowser)('the page of a rule in a browser', () => {
  let world: Console
  let watched: WatchedPage
  let requests: string[] = []

  beforeAll(async () => {
    world = await openConsole({ rule })
    await world.ingest([1, 2].map(toEvent), 1)
    watched = await openPage(world)
    watched.page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await logIn(world, watched.page, '/rules')
  })
  afterAll(async () => await world?.close())

  const editor = () => watched.page.getByRole('textbox', { name: 'Text of the rule' })
  const read = async (): Promise<{ readonly definition: string; readonly version: number; readonly title: string }> =>
    await world.call(`/v1/detection/rules/${id}`)
  /** The verdict on the shown event. */
  const expectVerdict = async (text: 'Matches' | 'No match'): Promise<void> => {
    await expect.poll(() => watched.page.getByRole('status').getByText(text, { exact: true }).count()).toBe(1)
  }
  /** Replaces the whole text by keyboard, as a person does. */
  const write = async (text: string): Promise<void> => {
    await editor().focus()
    await watched.page.keyboard.press('Control+a')
    await watched.page.keyboard.insertText(text)
  }

  test('the list is filtered by what its rules have, by mouse and by keyboard', async () => {
    const { page } = watched
    const filters = () => new URL(page.url()).searchParams
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const menu = page.getByRole('dialog', { name: 'Filter' })
    await menu.getByRole('button', { name: 'windows 1', exact: true }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await menu.getByRole('button', { name: 'windows 1', exact: true }).click()
    await expect.poll(() => filters().get('product')).toBe('windows')
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
    await menu.getByRole('button', { name: 'Execution 1', exact: true }).press('Enter')
    await expect.poll(() => filters().get('tactic')).toBe('execution')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await menu.getByRole('button', { name: 'Keep 1', exact: true }).click()
    await expect.poll(() => filters().get('verdict')).toBe('keep')
    await page.reload()
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    await page.goto(`${world.origin}/rules?product=windows&tactic=execution&verdict=retire,silent`)
    await page.getByText('No rule matches these filters.').waitFor()
    await page.getByText('Retire, Silent', { exact: true }).waitFor()
    for (const name of ['Verdict', 'Product', 'Tactic']) await page.getByRole('button', { name: `Remove the filter ${name}` }).click()
    await expect.poll(() => [...filters().keys()]).toEqual([])
  })

  test('is opened from the list by keys', async () => {
    const { page } = watched
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    for (const key of ['j', 'o']) await page.keyboard.press(key)
    await editor().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/rules/${id}`)
    await page.getByRole('status').getByText('Compiles').waitFor()
  })

  test('tells at each change what the rule makes of an event, without a request', async () => {
    const { page } = watched
    requests = []
    await page.getByLabel('Test events').fill(JSON.stringify(toEvent(1)))
    await page.getByRole('status').getByText('Matches').waitFor()
    await write(rule.replace('tool.exe', 'other.exe'))
    await page.getByRole('status').getByText('No match').waitFor()
    await page.getByText('the event has C:\\Tools\\tool.exe').waitFor()
    expect(requests).toEqual([])
  })

  test('the verdict and the tree are those of the server', async () => {
    for (const text of [rule, rule.replace('endswith', 'contains'), rule.replace('condition: selection', 'condition: not selection')]) {
      await write(text)
      const { results } = await world.call<Tested>(`/v1/detection/rules/${id}/test`, {
        method: 'POST', body: { events: [toEvent(1)], definition: text, explain: true },
      })
      const [result] = results
      await expectVerdict(result?.matched === true ? 'Matches' : 'No match')
    }
  })

  test('an error has its place in the text, and is not saved', async () => {
    const { page } = watched
    await write(rule.replace('condition: selection', 'condition: selektion'))
    await page.getByText('Does not compile').waitFor()
    await page.getByRole('button', { name: '10:14' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('line')).toBe('10')
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').getByText(/^Not saved:/).waitFor()
    expect(await read()).toMatchObject({ definition: rule, version: 1 })
  })

  test('completes modifiers and the names of selections', async () => {
    const { page } = watched
    await write(rule.replace('Image|endswith', 'Image'))
    await page.keyboard.press('Control+Home')
    for (let line = 0; line < 8; line++) await page.keyboard.press('ArrowDown')
    for (let column = 0; column < 9; column++) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('|ends')
    // Enter takes nothing of a list of what stood there before, which is shown until the next.
    await page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)').getByRole('option', { name: /endswith/ }).waitFor()
    await page.keyboard.press('Enter')
    await expectVerdict('Matches')
  })

  test('keeps what is not saved, saves, and shows the difference between versions', async () => {
    const { page } = watched
    await write(rule.replace('title: Suspicious program', 'title: A renamed program'))
    await page.getByText('Changes are not saved.').waitFor()
    await page.reload()
    await page.getByText('Changes are not saved.').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Saved as version 2.').waitFor()
    expect(await read()).toMatchObject({ title: 'A renamed program', version: 2 })
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: /Version 1/ }).click()
    await page.getByText('-title: Suspicious program').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await page.getByText('Version 1 is restored.').waitFor()
    expect(await read()).toMatchObject({ title: 'Suspicious program', version: 3 })
    // What was restored is what the editor has.
    await page.getByText('The text is the same.').waitFor()
    await page.getByText('Changes are not saved.').waitFor({ state: 'detached' })
  })

  test('two versions stand side by side in a wide window, and one below the other in a narrow one', async () => {
    const { page } = watched
    const parameters = () => new URL(page.url()).searchParams
    await page.goto(`${world.origin}/rules/${id}?tab=history&version=1&against=2`)
    const comparison = page.getByRole('region', { name: 'Comparison' })
    const [before, after] = ['-title: Suspicious program', '+title: A renamed program'] as const
    const rows = comparison.getByRole('row')
    const row = rows.filter({ hasText: before }).filter({ hasText: after })
    await row.waitFor()
    expect(await row.locator('mark').allTextContents()).toEqual(['Suspicious', 'A', 'renamed '])
    expect(await comparison.getByRole('columnheader').allTextContents()).toEqual(['Version 1', 'Version 2'])
    expect(await editor().isVisible()).toBe(false)
    await comparison.getByRole('button', { name: /^Show \d+ equal lines/ }).click()
    await comparison.getByText('condition: selection').first().waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.setViewportSize({ width: 1200, height: 900 })
    await rows.filter({ hasText: before }).filter({ hasNotText: after }).waitFor()
    await rows.filter({ hasText: after }).filter({ hasNotText: before }).waitFor()
    expect(await editor().isVisible()).toBe(true)
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
    await comparison.getByLabel('Compare with').selectOption('Version 3')
    await page.getByText('The text is the same.').waitFor()
    expect(parameters().get('against')).toBe('3')
    await comparison.getByLabel('Compare with').selectOption('Text in the editor')
    await expect.poll(() => parameters().get('against')).toBeNull()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await editor().waitFor()
  })

  test('a backtest compares the text with the saved one', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/rules/${id}?tab=backtest`)
    await write(rule.replace('tool.exe', 'none.exe'))
    await page.getByRole('button', { name: 'Compare with the saved text' }).click()
    await page.getByText(/^0 matches\./).waitFor()
    await page.getByText('2 matches are gone').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('a host is excepted from a backtest, which says what is left', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'Run over stored events' }).click()
    await page.getByText(/^2 matches\./).waitFor()
    await page.getByRole('button', { name: 'Except it: wks-1.example.com' }).click()
    await page.getByText(/^Tried with exceptions for wks-1\.example\.com\..+ 1 match of 2 is left\.$/).waitFor()
    expect(await page.getByRole('button', { name: /^Except it: wks-/ }).count()).toBe(1)
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Except it: wks-2.example.com' }).press('Enter')
    await page.getByText(/^Tried with exceptions for wks-1\.example\.com, wks-2\.example\.com\..+ 0 matches of 2 are left\.$/).waitFor()
  })

  test('an exception is added and counts in the page as on the server', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Exceptions' }).click()
    await page.getByLabel('Field', { exact: true }).fill('Computer')
    await page.getByLabel('Value', { exact: true }).fill('wks-1.example.com')
    await page.getByText('False positives: 0, benign: 0, not judged: 1.').waitFor()
    await page.getByText('1 alert would have come all the same.').waitFor()
    await page.getByLabel('Reason').fill('the machine of the packagers')
    await page.getByRole('button', { name: 'Add the exception' }).click()
    await page.getByText('The exception is in force.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByLabel('Test events').fill([1, 2].map((index) => JSON.stringify(toEvent(index))).join('\n'))
    await page.getByText('Event 1 of 2, 1 match').waitFor()
    await page.getByRole('status').getByText('No match', { exact: true }).waitFor()
    const body = { events: [1, 2].map(toEvent), definition: rule }
    const { results } = await world.call<Tested>(`/v1/detection/rules/${id}/test`, { method: 'POST', body })
    expect(results.map(({ matched }) => matched)).toEqual([false, true])
  })

  test('a new rule is written, tested and saved', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/rules`)
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    await page.keyboard.press('n')
    await editor().waitFor()
    await write(rule.replace(`id: ${id}\n`, '').replace('Suspicious', 'Other'))
    // As it is typed by hand: nothing in it tells a log source.
    const typed = JSON.stringify({ Image: 'C:\\Tools\\tool.exe' })
    await page.getByLabel('Test events').fill(typed)
    await page.getByText('The event does not tell its log source.').waitFor()
    await page.getByLabel('Test events').fill(JSON.stringify(toEvent(1)))
    await page.getByText('The event does not tell its log source.').waitFor({ state: 'detached' })
    await page.getByLabel('Test events').fill(typed)
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('heading', { name: 'Other program' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/rules\/[\da-f]{8}-[\da-f]{4}-4/)
    // The server gave it an id, with which nothing is wrong; it is still tested with the same.
    expect(await page.getByText(/the id .* is not a random UUID/).count()).toBe(0)
    expect(await page.getByLabel('Test events').inputValue()).toBe(typed)
    await page.getByText('The event does not tell its log source.').waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('leaving a text that is not saved asks, and keeps it, stays or discards it', async () => {
    const { page } = watched
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    const renamed = rule.replace(id, '00000000-0000-4000-8000-000000000005').replace('Suspicious', 'Unsaved')
    await page.goto(`${world.origin}/rules/new`)
    await write(renamed)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Alerts' }).click()
    await question.waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/rules/new')
    await page.getByRole('link', { name: 'Alerts' }).click()
    // The choice that loses nothing has the focus.
    await question.waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
    await page.goto(`${world.origin}/rules/new`)
    await page.getByText('Changes are not saved.').waitFor()
    await expect.poll(() => editor().textContent()).toContain('Unsaved program')
    // Another view of the same rule is no leaving.
    await page.getByRole('button', { name: 'Backtest', exact: true }).click()
    await page.getByRole('link', { name: 'Alerts' }).click()
    await question.getByRole('button', { name: 'Discard and leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
    await page.goto(`${world.origin}/rules/new`)
    await expect.poll(() => editor().textContent()).toContain('New rule')
    expect(await page.getByText('Changes are not saved.').count()).toBe(0)
  })

  test('by keyboard alone: rules are selected, switched off together, and on again', async () => {
    const { page } = watched
    const readEnabled = async (): Promise<readonly boolean[]> => {
      const { rules } = await world.call<{ readonly rules: readonly { readonly enabled: boolean }[] }>('/v1/detection/rules?product=windows')
      return rules.map(({ enabled }) => enabled)
    }
    await page.goto(`${world.origin}/rules?product=windows`)
    await page.getByRole('row', { name: /Other program/ }).waitFor()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    await page.keyboard.press('d')
    await page.getByText('2 rules are off.').waitFor()
    expect(await readEnabled()).toEqual([false, false])
    await page.getByRole('button', { name: /Undo/ }).click()
    await page.getByText('2 rules are on.').waitFor()
    expect(await readEnabled()).toEqual([true, true])
    // What is switched on by hand is tried first; where that fails it can be left out.
    const backtests = '**/v1/detection/backtests'
    const expectOn = async (count: number) => await expect.poll(() => page.getByRole('switch', { checked: true }).count()).toBe(count)
    await page.route(backtests, async (route) => await route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'no' } } }))
    await expectOn(2)
    await page.keyboard.press('d')
    await expectOn(0)
    await page.keyboard.press('d')
    const dialog = page.getByRole('dialog', { name: 'Switch on after a backtest' })
    await dialog.getByRole('button', { name: 'Switch on without it' }).press('Enter')
    await expect.poll(readEnabled).toEqual([true, true])
    await page.unrouteAll({ behavior: 'wait' })
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor({ state: 'detached' })
  })

  test('one rule is switched off by mouse and on by keyboard', async () => {
    const { page } = watched
    type Switched = { readonly enabled: boolean }
    const isEnabled = async (): Promise<boolean> => (await world.call<Switched>(`/v1/detection/rules/${id}`)).enabled
    await page.goto(`${world.origin}/rules?q=Suspicious`)
    const row = page.getByRole('row', { name: /Suspicious program/ })
    await row.getByRole('switch').click()
    await page.getByText('Suspicious program is off.').waitFor()
    expect(await isEnabled()).toBe(false)
    await page.keyboard.press('j')
    await page.keyboard.press('d')
    await page.getByText('Suspicious program is on.').waitFor()
    expect(await isEnabled()).toBe(true)
  })

  test('a search becomes a rule, with the events that it finds to test and a backtest', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/search?q=Image%3A*tool.exe&from=-1h`)
    await page.getByRole('link', { name: 'Make a rule' }).click()
    await page.getByText('Event 1 of 2, 2 match').waitFor()
    await expectVerdict('Matches')
    await expect.poll(() => new URL(page.url()).searchParams.get('backtest')).not.toBeNull()
    await page.getByRole('button', { name: 'Backtest', exact: true }).click()
    await page.getByText(/^2 matches\./).waitFor()
  })

  test('an alert becomes a rule: what matched of its first event, which is the test event, with a backtest', async () => {
    const { page } = watched
    const { alerts } = await world.call<{ readonly alerts: readonly { readonly id: string }[] }>('/v1/alerts?limit=1')
    await page.goto(`${world.origin}/rules/new?from_alert=${alerts[0]!.id}`)
    await expectVerdict('Matches')
    const drafted = await editor().textContent()
    for (const part of [/Like the alert Suspicious program/, /category: 'process_creation'/, /Image: 'C:\\Tools\\tool.exe'/, /level: medium/]) {
      expect(drafted).toMatch(part)
    }
    expect(await page.getByLabel('Test events').inputValue()).toContain('tool.exe /run')
    await expect.poll(() => new URL(page.url()).searchParams.get('backtest')).not.toBeNull()
    await page.getByRole('button', { name: 'Backtest', exact: true }).click()
    await page.getByText(/^2 matches\./).waitFor()
    await page.goto(`${world.origin}/rules/new?from_alert=none`)
    await page.getByText(/^No rule could be drafted from it/).waitFor()
    await expect.poll(() => editor().textContent()).toContain('New rule')
    expect(await findViolationsOfThemes(page)).toEqual([])
  })

  test('the health of a rule tells when its fields were last seen, and its test takes recent events', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/rules/${id}?tab=health&line=3`)
    await page.getByText(/^last \d+[sm] ago$/).waitFor()
    expect(await findViolationsOfThemes(page)).toEqual([])
    expect(await page.locator('.cm-activeLine').first().textContent()).toBe('status: stable')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('button', { name: 'Recent events' }).click()
    await page.getByText(/^Event 1 of 2, \d match/).waitFor()
    await page.goto(`${world.origin}/rules/new`)
    await page.getByRole('button', { name: 'Recent events' }).click()
    await expect.poll(() => page.getByLabel('Test events').inputValue()).toContain('tool.exe /run')
  })

  test('a copy of a rule has a name of its own, and no id', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/rules/${id}`)
    await page.getByRole('link', { name: 'Copy', exact: true }).click()
    await expect.poll(() => editor().textContent()).toContain('title: Copy of Suspicious program')
    expect(await editor().textContent()).not.toContain(id)
    expect(new URL(page.url()).searchParams.get('clone')).toBe(id)
  })

  test.for([
    ['states its range', true],
    // As in a shadow root, now and then.
    ['states no range', false],
  ] as const)('the editor replaces a selection itself that it was not told of yet, where the input %s', async ([, isStated]) => {
    await watched.page.goto(`${world.origin}/rules/${id}`)
    await editor().waitFor()
    // The browser would keep colours of the old text as inline styles.
    const isTaken = await editor().evaluate((content, states) => {
      const range = new StaticRange({ startContainer: content, startOffset: 0, endContainer: content, endOffset: content.childNodes.length })
      if (!states) document.getSelection()!.setBaseAndExtent(content, 0, content, content.childNodes.length)
      const data = 'title: Put in'
      const targetRanges = states ? [range] : []
      return !content.dispatchEvent(new InputEvent('beforeinput', { inputType: 'insertText', data, targetRanges, bubbles: true, cancelable: true }))
    }, isStated)
    expect([isTaken, await editor().innerText()]).toEqual([true, 'title: Put in'])
    await watched.page.getByRole('button', { name: 'Discard changes' }).click()
  })

  test('the buttons of the matrix stay in their place where it cannot be loaded', async () => {
    const { page } = watched
    const button = page.getByRole('button', { name: 'Navigator layer' })
    const readPlace = async (settled: Locator) => {
      await page.goto(`${world.origin}/rules/matrix`)
      await settled.first().waitFor()
      return await button.boundingBox()
    }
    const place = await readPlace(page.getByRole('region', { name: 'execution' }))
    const coverage = '**/v1/detection/coverage'
    await page.route(coverage, async (route) => await route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'no' } } }))
    expect(await readPlace(page.getByRole('alert'))).toEqual(place)
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('the matrix shows what rules cover, and leads to the rules of a technique', async () => {
    const { page } = watched
    await page.goto(`${world.origin}/rules?layout=matrix`)
    await page.getByRole('region', { name: 'execution' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/rules/matrix')
    await page.goto(`${world.origin}/rules`)
    await page.getByRole('button', { name: 'ATT&CK matrix' }).click()
    const cell = page.getByRole('region', { name: 'execution' }).getByRole('link', { name: /T1204/ })
    await cell.getByText('Covered, and matched').waitFor({ state: 'attached' })
    expect(await cell.innerText()).toMatch(/^T1204\s+\d\/\d\/\d\s+User Execution/)
    expect(await page.getByRole('list', { name: 'What the colours and figures say' }).getByRole('listitem').count()).toBe(7)
    expect(await findViolationsOfThemes(page)).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Navigator layer' }).click()
    expect((await download).suggestedFilename()).toBe('tripline-rules.json')
    await cell.click()
    await page.getByRole('row', { name: /Suspicious program/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('technique')).toBe('T1204')
  })

  test('nothing went wrong meanwhile', () => {
    expect(watched.problems).toEqual([])
  })
})
