import { StoreError } from '@tripline/state/ports/store-error'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OutboxWorld, range, settle } from './outbox-world.ts'

test('events come in order and once, and everything published is counted', async () => {
  const world = await OutboxWorld.open(['push', 'webhooks'])
  await world.publish('a', 3)
  await world.publish('b', 1)
  await world.publish('a', 250)
  await settle()
  for (const consumer of world.consumers) {
    expect([consumer.handledOf('a'), consumer.handledOf('b')]).toEqual([range(1, 253), [1]])
    expect(Math.max(...consumer.batchSizes)).toBe(100)
  }
  expect(world.published).toEqual([['a', 3], ['b', 1], ['a', 250]])
  expect(world.reader.progress).toEqual(['push', 'webhooks'].map((consumer) =>
    ({ topic: 'alerts', consumer, handledCount: 254, lag: new Map() })))
})

test('a consumer that hangs delays neither another nor, in itself, another tenant', async () => {
  const world = await OutboxWorld.open(['push', 'webhooks'])
  const [push, webhooks] = world.consumers
  push!.hangOn = (tenant) => tenant === 'a'
  await world.publish('a', 2)
  await world.publish('b', 2)
  await settle()
  expect([push!.handledOf('a'), push!.handledOf('b'), webhooks!.handledOf('a'), webhooks!.handledOf('b')]).toEqual([[], [1, 2], [1, 2], [1, 2]])
  expect(world.reader.progress.map(({ lag }) => [...lag])).toEqual([[['a', 2]], []])
  push!.release()
  await settle()
  expect(push!.handledOf('a')).toEqual([1, 2])
})

test('a tenant with very many events delays no other', async () => {
  const world = await OutboxWorld.open(['push'], { tenantsAtOnceMax: 1, batchEventsMax: 10 })
  const [push] = world.consumers
  push!.hangOn = () => true
  await world.publish('a', 2_000)
  await settle()
  await world.publish('b', 1)
  push!.release()
  while (push!.handledOf('a').length < 2_000) await settle()
  // One batch of the first was in hand; the other's turn comes next.
  expect(push!.turns.slice(0, 3)).toEqual(['a', 'b', 'a'])
  expect(push!.handledOf('a')).toEqual(range(1, 2_000))
})

describe('after an error', () => {
  test('a batch comes again with growing delays, and other tenants meanwhile', async () => {
    const world = await OutboxWorld.open(['push'])
    const [push] = world.consumers
    push!.failOn = (tenant) => (tenant === 'a' ? new StoreError('TRANSIENT', 'the disk is full') : undefined)
    await world.publish('a', 2)
    await settle()
    const attempts: number[] = []
    for (let ms = 0; ms < 1_000; ms += 10) {
      const before = push!.batchSizes.length
      await world.clock.pass(10)
      if (push!.batchSizes.length > before) attempts.push(world.clock.nowMs)
    }
    expect(attempts).toEqual([50, 150, 350, 750])
    await world.publish('b', 1)
    await settle()
    expect([push!.handledOf('a'), push!.handledOf('b')]).toEqual([[], [1]])
    // An error of the store never uses the attempts up.
    for (let i = 0; i < 30; i++) await world.clock.pass(10_000)
    push!.failOn = () => undefined
    await world.clock.pass(10_000)
    expect(push!.handledOf('a')).toEqual([1, 2])
    expect(world.messages).toEqual(['a consumer of domain events failed and is retried'])
  })

  test('an event that always fails is left out and logged, and the others are delivered', async () => {
    const world = await OutboxWorld.open(['push'])
    const [push] = world.consumers
    push!.failOn = (_, seqs) => (seqs.includes(3) ? new Error('a bug') : undefined)
    await world.publish('a', 5)
    for (let i = 0; i < 40; i++) await world.clock.pass(10_000)
    expect(push!.handledOf('a')).toEqual([1, 2, 4, 5])
    expect(world.messages.at(-1)).toBe('a domain event could not be delivered')
    expect(world.reader.progress[0]?.lag).toEqual(new Map())
  })
})

describe('positions', () => {
  test('are saved once a second at most, with the removal of what all have handled', async () => {
    const world = await OutboxWorld.open(['push', 'webhooks'], { replayedEventsMax: 2, trimEventsMax: 3 })
    const { domainEvents } = world.state
    const webhooks = world.consumers[1]!
    webhooks.hangOn = () => true
    await world.publish('a', 10)
    await world.clock.pass(999)
    expect(await domainEvents.positions('push')).toEqual(new Map())
    await world.clock.pass(1)
    expect(await domainEvents.positions('push')).toEqual(new Map([['a', 10]]))
    // Another consumer waits for them.
    expect((await domainEvents.read('a', 0, 100)).events).toHaveLength(10)
    webhooks.release()
    await world.clock.pass(1_000)
    await world.clock.pass(1_000)
    expect(await domainEvents.positions('webhooks')).toEqual(new Map([['a', 10]]))
    expect((await domainEvents.read('a', 0, 100)).events.map(({ seq }) => seq)).toEqual([9, 10])
  })

  test('are saved at the end, so that a restart repeats nothing', async () => {
    const world = await OutboxWorld.open(['push'])
    await world.publish('a', 3)
    await settle()
    await world.reader.close()
    await world.publish('a', 2)
    await world.start()
    await settle()
    expect(world.consumers[0]!.handledOf('a')).toEqual(range(1, 5))
    expect(world.published).toEqual([['a', 3]])
  })

  test('that cannot be saved are saved later, and events are delivered meanwhile', async () => {
    const world = await OutboxWorld.open(['push'])
    let isFull = true
    const transaction: typeof world.state.transaction = async (work) => {
      if (isFull) throw new StoreError('TRANSIENT', 'the disk is full')
      return await world.state.transaction(work)
    }
    await world.reader.close()
    await world.start({ ...world.state, transaction })
    await world.publish('a', 3)
    for (let i = 0; i < 5; i++) await world.clock.pass(1_000)
    expect(world.consumers[0]!.handledOf('a')).toEqual([1, 2, 3])
    expect(world.messages).toEqual(['positions of domain events are saved later'])
    isFull = false
    await world.clock.pass(1_000)
    expect(await world.state.domainEvents.positions('push')).toEqual(new Map([['a', 3]]))
  })
})

test('of too many events that wait the oldest are dropped, and their number is logged', async () => {
  const world = await OutboxWorld.open(['push'], { waitingEventsMax: 5, batchEventsMax: 2 })
  const [push] = world.consumers
  push!.hangOn = () => true
  await world.publish('a', 2)
  await settle()
  await world.publish('a', 10)
  await world.clock.pass(1_000)
  push!.release()
  await settle()
  // Two were in hand; of the others the last five are left.
  expect(push!.handledOf('a')).toEqual([1, 2, 8, 9, 10, 11, 12])
  expect(world.logLines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 'error', consumer: 'push', tenant: 'a', count: 5 }])
})

test('a consumer that hangs at shutdown delays it by seconds only', async () => {
  const world = await OutboxWorld.open(['push'])
  world.consumers[0]!.isDeaf = true
  await world.publish('a', 1)
  await settle()
  let isClosed = false
  const closing = world.reader.close().then(() => (isClosed = true))
  await world.clock.pass(1_999)
  expect(isClosed).toBe(false)
  await world.clock.pass(1)
  await closing
  expect(isClosed).toBe(true)
})

type Step =
  | { readonly kind: 'publish'; readonly tenant: string; readonly count: number }
  | { readonly kind: 'fail' | 'hang'; readonly consumer: number; readonly tenant: string; readonly isOn: boolean }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'settle' | 'kill' | 'restart' }

const tenant = fc.constantFrom('a', 'b')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('publish' as const), tenant, count: fc.integer({ min: 1, max: 7 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('fail' as const, 'hang' as const), consumer: fc.nat(1), tenant, isOn: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 60, 700, 1_000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('settle' as const, 'kill' as const, 'restart' as const) }) },
)

test('whatever fails, hangs and is killed, each consumer gets what a list of the published events has', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const world = await OutboxWorld.open(['push', 'webhooks'], { batchEventsMax: 3, tenantsAtOnceMax: 1, replayedEventsMax: 4, trimEventsMax: 5 })
    // The reference: numbers of the published events, and how often a kill let some come again.
    const publishedCounts = new Map<string, number>()
    let killCount = 0
    const failing = new Set<string>()
    const hanging = new Set<string>()
    for (const [i, consumer] of world.consumers.entries()) {
      consumer.failOn = (tenant) => (failing.has(`${i} ${tenant}`) ? new StoreError('TRANSIENT', 'no') : undefined)
      consumer.hangOn = (tenant) => hanging.has(`${i} ${tenant}`)
    }
    const restoreHanging = (): void => {
      for (const [i, consumer] of world.consumers.entries()) {
        consumer.release()
        consumer.hangOn = (tenant) => hanging.has(`${i} ${tenant}`)
      }
    }
    for (const each of steps) {
      if (each.kind === 'publish') {
        await world.publish(each.tenant, each.count)
        publishedCounts.set(each.tenant, (publishedCounts.get(each.tenant) ?? 0) + each.count)
      } else if (each.kind === 'fail' || each.kind === 'hang') {
        const set = each.kind === 'fail' ? failing : hanging
        if (each.isOn) set.add(`${each.consumer} ${each.tenant}`)
        else set.delete(`${each.consumer} ${each.tenant}`)
        restoreHanging()
      } else if (each.kind === 'pass') await world.clock.pass(each.ms)
      else if (each.kind === 'settle') await settle()
      else if (each.kind === 'restart') {
        await settle()
        const closing = world.reader.close()
        await world.clock.pass(2_000)
        await closing
        await world.start()
      } else {
        killCount++
        await world.kill()
      }
    }
    failing.clear()
    hanging.clear()
    restoreHanging()
    for (let i = 0; i < 3; i++) await world.clock.pass(20_000)
    for (const consumer of world.consumers) {
      for (const [tenant, count] of publishedCounts) {
        const handled = consumer.handledOf(tenant)
        expect([...new Set(handled)]).toEqual(range(1, count))
        if (killCount === 0) expect(handled).toEqual(range(1, count))
        // What comes again comes in order, too.
        const stepsBack = handled.filter((seq, i) => i > 0 && seq !== handled[i - 1]! + 1)
        expect(stepsBack.length).toBeLessThanOrEqual(killCount)
      }
    }
    const waiting = world.reader.progress.flatMap(({ lag }) => [...lag])
    expect(waiting).toEqual([])
  }), { seed: 14, numRuns: process.env['TRIPLINE_FULL'] === '1' ? 1_000 : 60 })
})
