import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../find-violations.ts'
import { lacksBrowser } from '../open-console.ts'
import { inputs } from './hands.ts'
import type { Hands, Input } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'

const hostCount = 60

const printRule = (name: string, id: number): string => `title: Program ${name}
id: 00000000-0000-4000-8000-00000000007${id}
status: stable
level: low
tags: [attack.execution, attack.t1059]
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\${name}.exe }, condition: selection }
`
const createEvent = (name: string, host: string): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: `C:\\Tools\\${name}.exe`, Computer: host,
  User: 'EXAMPLE\\a.meier', parent: { name: 'cmd.exe', hashes: { md5: 'd41d8cd98f00b204e9800998ecf8427e' } },
  facts: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`fact${index}`, index])),
})

describe.skipIf(lacksBrowser)('what a panel of an alert offers, each by mouse and by keyboard', () => {
  let flows: Flows

  beforeAll(async () => {
    const hosts = Array.from({ length: hostCount }, (_, host) => `wks-${host}.example.com`)
    const events = [...hosts.map((host) => createEvent('one', host)), ...inputs.map((input) => createEvent('two', `${input}.example.com`))]
    flows = await openFlows({ one: printRule('one', 1), two: printRule('two', 2) }, events, events.length)
  }, 120_000)
  afterAll(async () => await flows?.world.close())

  const row = (name: RegExp | string) => flows.page.getByRole('row', { name }).first()
  const panel = () => flows.page.getByRole('complementary')
  const openPanel = async (input: Input, host: string): Promise<Hands> => {
    const hands = await flows.begin(input, `/alerts?q=${host}`)
    await hands.openRow(row(host))
    await panel().getByText('Image ends with').waitFor()
    return hands
  }

  test.for(inputs)('by %s: each value of the event leads to the timeline: alone, without it, as a column, and everywhere', async (input) => {
    const { page } = flows
    const host = `${input}.example.com`
    for (const [name, parameter, text] of [
      ['Events of the host with User = EXAMPLE\\a.meier', 'q', `host:"${host}" AND User:"EXAMPLE\\\\a.meier"`],
      ['Events of the host without User = EXAMPLE\\a.meier', 'q', `host:"${host}" AND NOT User:"EXAMPLE\\\\a.meier"`],
      ['Events of the host with User as a column', 'columns', 'User'],
      ['Events of that day with User = EXAMPLE\\a.meier', 'q', 'User:"EXAMPLE\\\\a.meier"'],
    ] as const) {
      const hands = await openPanel(input, host)
      await hands.press(panel().getByRole('link', { name, exact: true }))
      await expect.poll(() => flows.read(parameter)).toBe(text)
      expect(new URL(page.url()).pathname).toBe('/search')
      await page.getByRole('main').getByText(name.includes('without') ? 'No event' : host).first().waitFor()
      expect(flows.takeUsed()).toEqual([input])
    }
  })

  test('nested objects fold: small ones are open, large ones are not', async () => {
    const hands = await openPanel('keyboard', 'keyboard.example.com')
    await panel().getByText('d41d8cd98f00b204e9800998ecf8427e').waitFor()
    expect(await panel().getByText('facts.fact7').isVisible()).toBe(false)
    await hands.press(panel().getByText('facts 12 fields'))
    await panel().getByText('facts.fact7').waitFor()
    expect(await findViolations(flows.page)).toEqual([])
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
