import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printNumber } from '../../src/i18n/translate.ts'
import { canMountDisk, lacksBrowser } from '../open-console.ts'
import { inputs } from './hands.ts'
import type { Hands } from './hands.ts'
import { openFlows, openFlowsOf } from './open-flows.ts'
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

/** One who works with the mouse, or one who works with the keyboard. A fault takes its time, so both meet the same one. */
type Walker = {
  readonly hands: Hands
  readonly takeUsed: Flows['takeUsed']
  readonly read: Flows['read']
  /** Goes to a page, by its link or its keys. */
  readonly go: (name: string, keys: string) => Promise<void>
  readonly text: (sentence: string | RegExp) => Locator
  readonly row: (name: string | RegExp) => Locator
  readonly button: (name: string | RegExp) => Locator
}

let all: readonly Flows[]

async function begin(): Promise<readonly Walker[]> {
  return await Promise.all(inputs.map(async (input, at) => {
    const { page, begin: open, takeUsed, read } = all[at]!
    const hands = await open(input, '/alerts')
    return {
      hands, takeUsed, read,
      go: async (name, keys) => {
        await hands.use(keys, page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }))
        await page.getByRole('heading', { level: 1, name }).waitFor()
      },
      text: (sentence) => page.getByRole('main').getByText(sentence).first(),
      row: (name) => page.getByRole('row', { name }),
      button: (name) => page.getByRole('button', { name }),
    }
  }))
}

describe.skipIf(lacksBrowser)('a stage of the pipeline that stands still', () => {
  beforeAll(async () => {
    const first = await openFlows({ rule }, createEvents(1), 1, [], { program: 'server/test/serve-with-a-brake.ts' })
    all = [first, await openFlowsOf(first.world)]
  })
  afterAll(async () => await all?.[0]?.world.close())

  test('by mouse and by keyboard: its lag grows, the health says so, and a forecast tells when it is drained', async () => {
    const { world } = all[0]!
    const walkers = await begin()
    const each = async (step: (walker: Walker) => Promise<void>): Promise<void> => void (await Promise.all(walkers.map(step)))
    const readFigures = async (): Promise<PipelineFigures> => await world.call<PipelineFigures>('/v1/pipeline/metrics')
    const readLag = async (): Promise<number> =>
      (await readFigures()).queue.topics.find(({ name }) => name === 'normalized-events')?.consumer_lag ?? -1
    const queue = ({ row }: Walker): Locator => row('normalized-events')
    await each(async (walker) => {
      await walker.go('Pipeline', 'g p')
      await queue(walker).getByText('Empty').waitFor()
    })
    world.tell('stop')
    await expect.poll(async () => {
      await world.send(createEvents(30))
      return await Promise.all(walkers.map((walker) => queue(walker).textContent()))
    }, { interval: 1_000 }).toEqual(inputs.map(() => expect.stringContaining('Grows by')))
    await each(async (walker) => {
      await expect.poll(async () => {
        const [lag, shown] = [await readLag(), await queue(walker).getByRole('cell').nth(2).textContent()]
        return [lag > 0, shown === printNumber(lag)]
      }).toEqual([true, true])
      const stage = walker.button(/^Detection/)
      await walker.hands.press(stage)
      await expect.poll(() => walker.read('stage')).toBe('detection')
      await expect.poll(() => stage.getAttribute('aria-pressed')).toBe('true')
      await walker.go('System health', 'g h')
      await walker.text('Something is broken').waitFor()
      await walker.text('A queue stands still. The Pipeline page shows which one.').waitFor()
      const service = walker.row(/^Detection/)
      await service.getByText('Its queue has stood still for 10 seconds.').waitFor()
      expect(await service.textContent()).toContain('Down')
      await walker.go('Pipeline', 'g p')
    })
    world.tell('slow')
    await each(async (walker) => await queue(walker).getByText(/^Drains in about \d+ (?:second|minute)s?$/).waitFor())
    world.tell('go')
    await each(async (walker) => await queue(walker).getByText('Empty').waitFor())
    const { books } = await readFigures()
    expect(books.evaluated).toBe(books.accepted)
    await each(async ({ hands, takeUsed, text, go, row }) => {
      await text('The sum is right').waitFor()
      await go('System health', 'g h')
      await row(/^Detection Up/).waitFor()
      expect(takeUsed()).toEqual([hands.input])
    })
  })

  test('nothing went wrong meanwhile', () => {
    expect(all.flatMap(({ problems }) => problems)).toEqual([])
  })
})

const hasDisk = canMountDisk()
const skipReason = hasDisk ? '' : ' (skipped: this machine does not allow to mount a disk)'
describe.skipIf(lacksBrowser || !hasDisk)(`a disk that fills${skipReason}`, () => {
  beforeAll(async () => {
    const first = await openFlows({ rule }, createEvents(1), 1, [], { diskMegabytes: 48 })
    all = [first, await openFlowsOf(first.world)]
  })
  afterAll(async () => await all?.[0]?.world.close())

  test('by mouse and by keyboard: the health tells that it is nearly full, that it is full, and that it has space again', async () => {
    const { world } = all[0]!
    const folder = dirname(world.dataDir)
    const ballast: string[] = []
    /** Leaves a share of the disk free. */
    const fill = (freeShare: number): void => {
      const { bavail, blocks, bsize } = statfsSync(folder)
      const file = join(folder, `ballast-${freeShare}`)
      writeFileSync(file, Buffer.alloc(Math.ceil(bavail - blocks * freeShare) * bsize))
      ballast.push(file)
    }
    const walkers = await begin()
    const expectTexts = async (...sentences: readonly (string | RegExp)[]): Promise<void> =>
      void (await Promise.all(walkers.flatMap(({ text }) => sentences.map(async (sentence) => await text(sentence).waitFor()))))
    await Promise.all(walkers.map(async ({ go }) => await go('System health', 'g h')))
    await expectTexts(/The disk has space: .* of 50\.3 MB free\./)
    fill(0.08)
    await expectTexts('The disk is nearly full', 'Something needs attention')
    await world.send(createEvents(1))
    fill(0.03)
    await expectTexts('No event is accepted until there is more space.', 'Something is broken')
    await expect(world.send(createEvents(1))).rejects.toThrow('answered 503')
    for (const file of ballast) rmSync(file)
    await expectTexts('The disk has space')
    await world.send(createEvents(1))
    for (const { hands, takeUsed, text, button } of walkers) {
      await hands.press(button('Run the self-test'))
      await text(/^Passed at/).waitFor()
      expect(takeUsed()).toEqual([hands.input])
    }
  })

  test('nothing went wrong meanwhile', () => {
    expect(all.flatMap(({ problems }) => problems)).toEqual([])
  })
})
