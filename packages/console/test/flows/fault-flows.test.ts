import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printNumber } from '../../src/i18n/translate.ts'
import { canMountDisk, lacksBrowser } from '../open-console.ts'
import { inputs } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000061
status: stable
level: high
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const createEvents = (count: number): readonly object[] => Array.from({ length: count }, () => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: 'web-1.example.com',
}))

type PipelineFigures = {
  readonly queue: { readonly topics: readonly { readonly name: string; readonly consumer_lag: number }[] }
  readonly books: { readonly accepted: number; readonly evaluated: number }
}

let flows: Flows
const page = (name: string) => flows.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })
const head = async (name: string): Promise<void> => await flows.page.getByRole('heading', { level: 1, name }).waitFor()
const text = (sentence: string | RegExp) => flows.page.getByRole('main').getByText(sentence).first()

describe.skipIf(lacksBrowser)('a stage of the pipeline that stands still, by mouse and by keyboard', () => {
  beforeAll(async () => {
    flows = await openFlows({ rule }, createEvents(1), 1, [], { program: 'server/test/serve-with-a-brake.ts' })
  }, 120_000)
  afterAll(async () => await flows?.world.close())

  const read = async (): Promise<PipelineFigures> => await flows.world.call<PipelineFigures>('/v1/pipeline/metrics')
  const lag = async (): Promise<number> =>
    (await read()).queue.topics.find(({ name }) => name === 'normalized-events')?.consumer_lag ?? -1

  test.for(inputs)('by %s: its lag grows, the health says so, and a forecast tells when it is drained', async (input) => {
    const { world } = flows
    const hands = await flows.begin(input, '/alerts')
    await hands.use('g p', page('Pipeline'))
    await head('Pipeline')
    const queue = flows.page.getByRole('row', { name: 'normalized-events' })
    await queue.getByText('Empty').waitFor()
    world.tell('stop')
    await expect.poll(async () => {
      await world.send(createEvents(30))
      return await queue.textContent()
    }, { interval: 1_000 }).toContain('Grows by')
    await expect.poll(async () => [await lag() > 0, (await queue.getByRole('cell').nth(2).textContent()) === printNumber(await lag())])
      .toEqual([true, true])
    const stage = flows.page.getByRole('button', { name: /^Detection/ })
    await hands.press(stage)
    await expect.poll(() => flows.read('stage')).toBe('detection')
    expect(await stage.getAttribute('aria-pressed')).toBe('true')
    await hands.use('g h', page('System health'))
    await head('System health')
    await text('Something is broken').waitFor()
    await text('A queue stands still. The Pipeline page shows which one.').waitFor()
    const service = flows.page.getByRole('row', { name: /^Detection/ })
    await service.getByText('Its queue has stood still for 10 seconds.').waitFor()
    expect(await service.textContent()).toContain('Down')
    await hands.use('g p', page('Pipeline'))
    await head('Pipeline')
    world.tell('slow')
    await queue.getByText(/^Drains in about \d+ seconds?$/).waitFor()
    world.tell('go')
    await queue.getByText('Empty').waitFor()
    const { books } = await read()
    expect(books.evaluated).toBe(books.accepted)
    await text('The sum is right').waitFor()
    await hands.use('g h', page('System health'))
    await flows.page.getByRole('row', { name: /^Detection Up/ }).waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})

const hasDisk = canMountDisk()
const skipReason = hasDisk ? '' : ' (skipped: this machine does not allow to mount a disk)'
describe.skipIf(lacksBrowser || !hasDisk)(`a disk that fills, by mouse and by keyboard${skipReason}`, () => {
  beforeAll(async () => {
    flows = await openFlows({ rule }, createEvents(1), 1, [], { diskMegabytes: 48 })
  }, 120_000)
  afterAll(async () => await flows?.world.close())

  /** Leaves a share of the disk free. */
  const fill = (freeShare: number): void => {
    const ballast = join(dirname(flows.world.dataDir), `ballast-${freeShare}`)
    const { bavail, blocks, bsize } = statfsSync(dirname(ballast))
    writeFileSync(ballast, Buffer.alloc(Math.ceil(bavail - blocks * freeShare) * bsize))
  }
  const clear = (): void => {
    for (const freeShare of [0.08, 0.03]) rmSync(join(dirname(flows.world.dataDir), `ballast-${freeShare}`))
  }

  test.for(inputs)('by %s: the health tells that it is nearly full, that it is full, and that it has space again', async (input) => {
    const { world } = flows
    const hands = await flows.begin(input, '/alerts')
    await hands.use('g h', page('System health'))
    await head('System health')
    await text(/The disk has space: .* of 50\.3 MB free\./).waitFor()
    fill(0.08)
    await text('The disk is nearly full').waitFor()
    await text('Something needs attention').waitFor()
    await world.send(createEvents(1))
    fill(0.03)
    await text('No event is accepted until there is more space.').waitFor()
    await text('Something is broken').waitFor()
    await expect(world.send(createEvents(1))).rejects.toThrow('answered 503')
    clear()
    await text('The disk has space').waitFor()
    await world.send(createEvents(1))
    await hands.press(flows.page.getByRole('button', { name: 'Run the self-test' }))
    await text(/^Passed at/).waitFor()
    expect(flows.takeUsed()).toEqual([input])
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
