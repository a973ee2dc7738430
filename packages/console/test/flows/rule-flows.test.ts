import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacksBrowser } from '../open-console.ts'
import { inputs } from './hands.ts'
import type { Input } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'

const ids: { readonly [Name in Input]: string } = {
  mouse: '00000000-0000-4000-8000-000000000031', keyboard: '00000000-0000-4000-8000-000000000032',
}
/** A rule for each input, so that neither flow sees what the other left. */
const printRule = (input: Input): string => `title: Program of the ${input}
id: ${ids[input]}
status: stable
level: medium
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: \\${input}.exe
  condition: selection
`
const toEvent = (input: Input, index: number): object => ({
  '@timestamp': new Date(Date.now() - 60_000 * (index + 1)).toISOString(),
  '_logsource': { category: 'process_creation', product: 'windows' },
  'Image': `C:\\Tools\\${input}.exe`,
  'Computer': `ws-${index % 2}`,
  'User': `user-${input}`,
  'CommandLine': `${input} run ${index}`,
})
const eventsOfInput = 20

type Rule = { readonly definition: string; readonly version: number; readonly title: string }
type Tested = { readonly results: readonly { readonly matched: boolean }[] }

describe.skipIf(lacksBrowser)('the flows of rules and searches, each by mouse and by keyboard', () => {
  let flows: Flows

  beforeAll(async () => {
    const events = inputs.flatMap((input) => Array.from({ length: eventsOfInput }, (_, index) => toEvent(input, index)))
    flows = await openFlows(Object.fromEntries(inputs.map((input) => [input, printRule(input)])), events, inputs.length)
  })
  afterAll(async () => await flows?.world.close())

  const read = async (input: Input): Promise<Rule> => await flows.world.call<Rule>(`/v1/detection/rules/${ids[input]}`)
  const editor = () => flows.page.getByRole('textbox', { name: 'Text of the rule' })
  const panel = () => flows.page.getByRole('complementary', { name: 'Event', exact: true })
  const waitForCount = async (count: number): Promise<void> => await flows.page.getByText(new RegExp(`^${count} events? ·`)).waitFor()

  test.for(inputs)('by %s: an error has its place in the text; mended, the verdict is the server’s, and it is saved', async (input) => {
    const { page, world } = flows
    const hands = await flows.begin(input, `/rules/${ids[input]}`)
    const text = printRule(input).replace('condition: selection', 'condition: selektion')
    await hands.write(editor(), text)
    await page.getByText('Does not compile').waitFor()
    await hands.press(page.getByRole('button', { name: '9:14' }))
    // The caret stands at the error, on the line that is marked.
    await page.locator('.cm-activeLine').filter({ hasText: 'selektion' }).waitFor()
    await hands.use('Control+s', page.getByRole('button', { name: /^Save/ }))
    await page.getByRole('alert').getByText(/^Not saved:/).waitFor()
    expect(await read(input)).toMatchObject({ definition: printRule(input), version: 1 })
    const mended = printRule(input).replace('level: medium', 'level: high')
    await hands.write(editor(), mended)
    await hands.write(page.getByLabel('Test events'), JSON.stringify(toEvent(input, 0)))
    await page.getByRole('status').getByText('Matches', { exact: true }).waitFor()
    const body = { events: [toEvent(input, 0)], definition: mended }
    expect((await world.call<Tested>(`/v1/detection/rules/${ids[input]}/test`, { method: 'POST', body })).results).toMatchObject([{ matched: true }])
    await hands.press(page.getByRole('button', { name: /^Save/ }))
    await page.getByText('Saved as version 2.').waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a backtest compares the text with the saved one', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, `/rules/${ids[input]}`)
    await hands.press(page.getByRole('button', { name: 'Backtest' }))
    await hands.write(editor(), printRule(input).replace(`${input}.exe`, 'none.exe'))
    await hands.press(page.getByRole('button', { name: 'Compare with the saved text' }))
    await page.getByText(`${eventsOfInput} matches are gone`).waitFor()
    await hands.press(page.getByRole('button', { name: 'Discard changes' }))
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: an earlier version is compared and restored', async (input) => {
    const { page } = flows
    const before = await read(input)
    const hands = await flows.begin(input, `/rules/${ids[input]}`)
    await hands.press(page.getByRole('button', { name: 'History' }))
    await hands.press(page.getByRole('button', { name: /Version 1/ }))
    await page.getByText('-level: medium').waitFor()
    await hands.press(page.getByRole('button', { name: 'Restore this version' }))
    await page.getByText('Version 1 is restored.').waitFor()
    expect(await read(input)).toMatchObject({ definition: printRule(input), version: before.version + 1 })
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a facet includes and excludes a value', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, `/search?q=User:user-${input}`)
    await waitForCount(eventsOfInput)
    const facets = page.getByRole('complementary', { name: 'Values of the events' })
    if (input === 'mouse') await facets.getByText('ws-1').hover()
    await hands.press(facets.getByRole('button', { name: 'Only with Computer = ws-1' }))
    await waitForCount(eventsOfInput / 2)
    await page.goBack()
    await waitForCount(eventsOfInput)
    if (input === 'mouse') await facets.getByText('ws-0').hover()
    await hands.press(facets.getByRole('button', { name: 'Without Computer = ws-0' }))
    await waitForCount(eventsOfInput / 2)
    expect(flows.read('q')).toBe(`User:user-${input} AND NOT Computer:ws-0`)
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: bars are marked, and the range is widened again', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, `/search?from=-4h&q=User:user-${input}`)
    await waitForCount(eventsOfInput)
    const chart = page.getByRole('img', { name: /most at/ })
    if (input === 'mouse') {
      const { x, y, width } = (await chart.boundingBox())!
      await page.mouse.move(x + width * 0.8, y + 20)
      await page.mouse.down()
      await page.mouse.move(x + width * 0.9, y + 20, { steps: 4 })
      await page.mouse.up()
    } else {
      await hands.press(chart)
      for (const key of ['ArrowLeft', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
    }
    await expect.poll(() => flows.read('from')).toMatch(/Z$/)
    const from = Date.parse(flows.read('from')!)
    if (input === 'mouse') await chart.dblclick()
    else await page.keyboard.press('z')
    await expect.poll(() => {
      const wider = flows.read('from')
      return wider === null || !wider.endsWith('Z') || Date.parse(wider) < from
    }).toBe(true)
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: an event leads to what happened around it', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, `/search?q=User:user-${input}`)
    await waitForCount(eventsOfInput)
    await hands.openRow(page.getByRole('row', { name: `${input} run 4` }))
    await panel().getByText('As it arrived').waitFor()
    await hands.press(panel().getByRole('link', { name: 'Search for all of these' }))
    await expect.poll(() => flows.read('q')).not.toBe(`User:user-${input}`)
    await page.getByRole('row', { name: /run 6/ }).first().waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test.for(inputs)('by %s: a search becomes a rule', async (input) => {
    const { page } = flows
    const hands = await flows.begin(input, `/search?q=Image%3A*${input}.exe&from=-1h`)
    await hands.press(page.getByRole('link', { name: 'Make a rule' }))
    await hands.write(page.getByLabel('Test events'), JSON.stringify(toEvent(input, 0)))
    await page.getByRole('status').getByText('Matches', { exact: true }).waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
