import { BusError } from '@tripline/storage/bus/bus'
import type { Bus, Message } from '@tripline/storage/bus/bus'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { bytesOf, linesOf, publishLines, takeAll, testSizes, textOf } from '@tripline/storage/test/bus/conformance'
import { chanceOf, seed, untilPowerLost } from '@tripline/storage/test/events/power-cuts'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { describe, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { deadLetterTopic } from '../src/pipeline/topics.ts'
import { runStage } from '../src/stages/stage.ts'
import type { StageResult, StageOptions } from '../src/stages/stage.ts'

const stageTopics = {
  in: { consumers: ['stage'], overflow: 'refuse', hasTenantShare: false },
  out: { consumers: ['test'], overflow: 'refuse', hasTenantShare: false },
  [deadLetterTopic]: { consumers: ['test'], overflow: 'refuse', hasTenantShare: false },
} as const

function openBus(disk: SimulatedDisk): Promise<Bus> {
  return openLocalBus({ disk, topics: stageTopics, sizes: { ...testSizes, topicBytesMax: 100_000 } })
}

/** Publishes each message with an exclamation mark. */
async function shout(messages: readonly Message[]): Promise<StageResult> {
  return { outputs: messages.map((message) => ({ topic: 'out', tenant: message.tenant, bytes: bytesOf(`${textOf(message)}!`) })) }
}

type Setting = Partial<StageOptions> & { readonly lines?: string }

/** Runs a stage until it has committed a number of messages or a pause ends it; returns what it did. */
async function runOn({ lines = 't:1 t:2 u:3 t:4', ...changed }: Setting) {
  const bus = await openBus(new SimulatedDisk())
  await publishLines(bus, 'in', lines)
  const stop = new AbortController()
  const consumer = bus.consumer('in', 'stage')
  const pauses: number[] = []
  const count = lines.split(' ').length
  const stage: StageOptions = {
    name: 'shout',
    consumer: {
      poll: consumer.poll,
      commit: async (offset) => {
        await consumer.commit(offset)
        if (offset === count) stop.abort()
      },
    },
    handle: shout,
    publish: (topic, tenant, messages) => bus.publish(topic, tenant, messages),
    pause: async (lengthMs) => {
      pauses.push(lengthMs)
      if (pauses.length === 12) stop.abort()
    },
    ...changed,
  }
  const error = await runStage(stage, stop.signal).then(() => undefined, (reason: unknown) => reason)
  const read = async (topic: string) => linesOf(await takeAll(bus.consumer(topic, 'test')))
  return { out: await read('out'), letters: await read(deadLetterTopic), pauses, error, lag: bus.stats('in').consumers[0]!.lag.size }
}

/** A handler that throws for messages with a text, a given number of times. */
function throwing(text: string, times: number, error: Error): StageOptions['handle'] {
  let left = times
  return async (messages) => {
    if (left > 0 && messages.some((message) => textOf(message).includes(text))) {
      left--
      throw error
    }
    return await shout(messages)
  }
}

const full = new BusError('FULL', 'no room')

describe('a stage', () => {
  test.for<[title: string, setting: Setting]>([
    ['forwards messages', {}],
    ['retries what fails once', { handle: throwing('2', 1, new Error('once')) }],
  ])('%s', async ([, setting]) => {
    expect(await runOn(setting)).toEqual({ out: 't:1! t:2! t:4! u:3!', letters: '', pauses: [], error: undefined, lag: 0 })
  })

  test.for<[title: string, lines: string, out: string]>([
    ['the first', 't:bad t:1 t:2 t:3 t:4', 't:1! t:2! t:3! t:4!'],
    ['one in the middle', 't:1 t:2 t:bad t:3 t:4', 't:1! t:2! t:3! t:4!'],
    ['two of many', 't:1 t:bad t:2 t:3 t:4 t:5 t:bad t:6', 't:1! t:2! t:3! t:4! t:5! t:6!'],
    ['the only one', 't:bad', ''],
  ])('moves a message that fails each time, %s, to the dead letters, and no other', async ([, lines, out]) => {
    const badCount = lines.split('bad').length - 1
    const result = await runOn({ lines, handle: throwing('bad', Infinity, new Error('cannot be read')) })
    expect(result).toMatchObject({ out, pauses: [], error: undefined, lag: 0 })
    const offset = lines.split(' ').indexOf('t:bad')
    const letter = { stage: 'shout', offset, reason: 'failed', text: 'cannot be read', cut_bytes: 0 }
    expect(result.letters.startsWith(`t:${JSON.stringify(letter)}\nbad`)).toBe(true)
    expect(result.letters.split('\nbad').length - 1).toBe(badCount)
  })

  test('moves rejected messages to the dead letters with their reason', async () => {
    const handle: StageOptions['handle'] = async (messages) => ({
      ...(await shout(messages.filter(({ offset }) => offset !== 2))), rejected: [{ offset: 2, reason: 'too_deep', text: '65 levels' }],
    })
    const { out, letters } = await runOn({ handle })
    expect(out).toBe('t:1! t:2! t:4!')
    expect(letters).toBe('u:{"stage":"shout","offset":2,"reason":"too_deep","text":"65 levels","cut_bytes":0}\n3')
  })

  test('moves a message to the dead letters if its output exceeds the limit of topics', async () => {
    const handle: StageOptions['handle'] = async (messages) => ({
      outputs: messages.map(({ tenant, offset }) => ({ topic: 'out', tenant, bytes: new Uint8Array(offset === 1 ? 2_097_153 : 0) })),
    })
    const { letters, error, lag } = await runOn({ handle })
    expect([error, lag]).toEqual([undefined, 0])
    expect(letters).toMatch(/^t:\{"stage":"shout","offset":1,"reason":"failed","text":"the output has 2097153 bytes[^\n]*\n2$/)
  })

  test('publishes outputs of one tenant and topic together, up to the bytes that the bus takes at once', async () => {
    const published: string[] = []
    const length = limits.bus.messageBytesMax
    const togetherMax = limits.bus.publishBytesMax / length
    const of = (tenant: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${tenant}:${i}`)
    const handle: StageOptions['handle'] = async (messages) => ({
      outputs: messages.map(({ tenant }) => ({ topic: 'out', tenant, bytes: new Uint8Array(length) })),
    })
    await runOn({
      lines: [...of('t', togetherMax + 1), ...of('u', 1), ...of('t', 1)].join(' '), handle,
      publish: async (topic, tenant, messages) => {
        published.push(`${messages.length} of ${tenant} to ${topic}`)
        return { firstOffset: 0, lastOffset: 0 }
      },
    })
    expect(published).toEqual([`${togetherMax} of t to out`, '2 of t to out', '1 of u to out'])
  })

  test('retries transient errors with growing delays, and publishes nothing twice', async () => {
    const { out, pauses } = await runOn({ handle: throwing('1', 4, full) })
    expect({ out, pauses }).toEqual({ out: 't:1! t:2! t:4! u:3!', pauses: [50, 100, 200, 400] })
  })

  test('stops retrying on abort, and leaves the messages for the next start', async () => {
    const result = await runOn({ handle: throwing('1', Infinity, full) })
    expect(result).toMatchObject({ out: '', letters: '', error: undefined, lag: 2 })
    expect(result.pauses.slice(-3)).toEqual([5_000, 5_000, 5_000])
  })

  test.for<[title: string, setting: Setting]>([
    ['a bus that has failed', { publish: () => Promise.reject(new BusError('FAILED', 'broken')) }],
    ['a handler with a fatal error', { handle: throwing('', Infinity, new Error('broken')), classifyError: () => 'fatal' }],
  ])('ends with the error of %s, and leaves the messages for the next start', async ([, setting]) => {
    const { error, letters, lag, out } = await runOn(setting)
    expect([error instanceof Error && error.message, letters, lag, out]).toEqual(['broken', '', 2, ''])
  })
})

const sentCount = 20

/** Publishes numbers from one on while a stage forwards them; returns those acknowledged. */
async function live(disk: SimulatedDisk, from: number, onSent: (id: number) => void): Promise<void> {
  const bus = await openBus(disk)
  const stop = new AbortController()
  const stage = runStage({
    name: 'shout', consumer: bus.consumer('in', 'stage'), handle: shout,
    publish: (topic, tenant, messages) => bus.publish(topic, tenant, messages),
    pause: async () => {},
  }, stop.signal)
  try {
    for (let id = from; id < sentCount; id++) {
      await bus.publish('in', 't', [bytesOf(String(id))])
      onSent(id)
    }
  } finally {
    // The batch in hand is finished; the rest comes with the next start.
    stop.abort()
    await stage
  }
  await bus.close()
}

/** Cuts the power at a step, publishes the rest in a second life, and returns the final output. */
async function outputsAfterCutAt(step: number, chance: () => number): Promise<string[]> {
  let next = 0
  const onSent = (id: number) => void (next = id + 1)
  const disk = new SimulatedDisk({ faultAt: (number) => (number === step ? 'powerCut' : undefined) })
  await untilPowerLost(live(disk, next, onSent))
  const after = disk.restarted(chance)
  // A third life, which publishes nothing, handles what the second left.
  for (let lives = 0; lives < 2; lives++) await live(after, next, onSent)
  const bus = await openBus(after)
  const out = (await takeAll(bus.consumer('out', 'test'))).map(textOf)
  await bus.close()
  return out
}

test(`after a power cut at any step a stage forwards everything acknowledged, in order (seed ${seed})`, async () => {
  const whole = new SimulatedDisk()
  await live(whole, 0, () => {})
  expect(whole.stepCount).toBeGreaterThan(70)
  const chance = chanceOf(seed)
  for (let step = 0; step <= whole.stepCount; step++) {
    const firsts = [...new Set(await outputsAfterCutAt(step, chance))]
    expect([step, firsts]).toEqual([step, Array.from({ length: sentCount }, (_, id) => `${id}!`)])
  }
})
