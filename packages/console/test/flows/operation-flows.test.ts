import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printNumber } from '../../src/i18n/translate.ts'
import { lacksBrowser } from '../open-console.ts'
import { inputs } from './hands.ts'
import { openFlows } from './open-flows.ts'
import type { Flows } from './open-flows.ts'

const rule = `title: Suspicious program
id: 00000000-0000-4000-8000-000000000021
status: stable
level: high
tags: [attack.execution]
logsource: { category: process_creation, product: windows }
detection: { selection: { Image|endswith: \\tool.exe }, condition: selection }
`
const createEvent = (host: string): object => ({
  _logsource: { category: 'process_creation', product: 'windows' }, Image: 'C:\\Tools\\tool.exe', Computer: host, User: 'EXAMPLE\\a.meier',
})

type PipelineFigures = {
  readonly stages: {
    readonly ingestion: { readonly events_per_second: number }
    readonly normalization: { readonly p99_latency_ms: number }
  }
  readonly queue: { readonly topics: readonly { readonly name: string; readonly consumer_lag: number }[] }
}
type Message = { readonly type: string; readonly data: { readonly [figure: string]: number } }
type DetectionFigures = {
  readonly alerts_by_severity: { readonly [severity: string]: number }
  readonly top_alerting_rules: readonly { readonly alerts_last_24h: number }[]
}

describe.skipIf(lacksBrowser)('the flows of operation, each by mouse and by keyboard', () => {
  let flows: Flows
  const messages: Message['data'][] = []

  beforeAll(async () => {
    flows = await openFlows({ rule }, [createEvent('first.example.com')], 1)
    flows.page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        const { type, data } = JSON.parse(String(payload)) as Message
        if (type === 'metrics_update') messages.push(data)
      })
    })
  })
  afterAll(async () => {
    await flows?.world.close()
  })

  const page = (name: string) => flows.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })
  const head = async (name: string): Promise<void> => await flows.page.getByRole('heading', { level: 1, name }).waitFor()
  const readPipeline = async (): Promise<PipelineFigures> => await flows.world.call<PipelineFigures>('/v1/pipeline/metrics')
  const countAlerts = async (): Promise<number> =>
    (await flows.world.call<{ readonly pagination: { readonly total: number } }>('/v1/alerts?limit=1')).pagination.total

  test.for(inputs)('by %s: the figures of the dashboard are those of the API and of the messages', async (input) => {
    const hands = await flows.begin(input, '/alerts')
    const before = await countAlerts()
    const hosts = Array.from({ length: 30 }, (_, index) => `${input}-${index}.example.com`)
    await flows.world.ingest(hosts.map(createEvent), before + hosts.length)
    await hands.use('g d', page('Dashboard'))
    await head('Dashboard')
    const figure = async (name: string): Promise<string> => {
      const item = flows.page.getByRole('main').getByRole('listitem').filter({ has: flows.page.getByRole('link', { name, exact: true }) })
      return (await item.locator('[class*=value]').textContent()) ?? ''
    }
    const print = (value: number): string => printNumber(value, value < 1 ? 3 : 1)
    // A time that is too short for the clock is shown as one that is not known.
    const printMs = (value: number): string => value === 0 ? '–' : print(value)
    // Each is of the last minute, so all three are compared until none of them moved meanwhile.
    await expect.poll(async () => {
      const { stages, queue } = await readPipeline()
      const message = messages.at(-1)
      const read = (name: string, printed: typeof print): string => printed(message?.[name] ?? -1)
      const lag = queue.topics.reduce((sum, { consumer_lag: one }) => sum + one, 0)
      return {
        api: [print(stages.ingestion.events_per_second), printMs(stages.normalization.p99_latency_ms), print(lag)],
        pushed: [read('ingestion_rate', print), read('normalization_latency_p99', printMs), read('queue_consumer_lag_total', print)],
        shown: [await figure('Ingestion'), await figure('Normalisation'), await figure('Lag')],
      }
    }).toSatisfy(({ api, pushed, shown }: { readonly [from: string]: readonly string[] }) =>
      shown?.[0] !== '0' && api?.join() === shown?.join() && pushed?.join() === shown?.join())
    await expect.poll(async () => await figure('Alerts') === printNumber(messages.at(-1)?.['alerts_last_minute'] ?? -1)).toBe(true)
    const { alerts_by_severity: severities, top_alerting_rules: [top] } = await flows.world.call<DetectionFigures>('/v1/detection/metrics')
    expect(severities['high']).toBe(before + hosts.length)
    await flows.page.getByRole('main').getByRole('link', { name: new RegExp(`^High\\s*${severities['high']}$`) }).waitFor()
    expect(top?.alerts_last_24h).toBe(severities['high'])
    expect(flows.takeUsed()).toEqual([input])
  })

  test('nothing went wrong meanwhile', () => {
    expect(flows.problems).toEqual([])
  })
})
