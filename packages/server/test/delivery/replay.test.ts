import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Connection } from '../../src/delivery/push/connection.ts'
import { PushHub } from '../../src/delivery/push/hub.ts'
import { toAlertMessage } from '../../src/delivery/push/replay.ts'
import type { AlertNotification } from '../../src/delivery/push/replay.ts'
import { limits } from '../../src/limits.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createTestRuntime } from '../open-test-server.ts'
import { PushWorld, TestWire, alertData } from './push-world.ts'

/** The possible steps, in any order. */
const steps = ['store', 'publish', 'settle', 'connect', 'subscribeAgain', 'answerAsAsked', 'answerAsNow', 'disconnect', 'restart'] as const
type Step = (typeof steps)[number]

type Question = { readonly since: string; readonly storedCount: number; readonly answer: (news: AlertNotification[]) => void }

/** A client that connects and disconnects, and states each time which alert it saw last. */
class Trial {
  readonly seen: string[] = ['a-0']
  readonly #stored: AlertNotification[] = []
  readonly #questions: Question[] = []
  #publishedCount = 0
  #wire = new TestWire()
  #hub = this.#openHub()
  #connection: Connection | undefined

  constructor() {
    this.take('store')
    this.take('publish')
  }

  get storedIds(): string[] {
    return this.#stored.map(({ data }) => data.alert_id)
  }

  take(step: Step): void {
    this.#read()
    switch (step) {
      case 'store':
        this.#stored.push({ createdAt: this.#stored.length, data: alertData(`a-${this.#stored.length}`) })
        return
      case 'publish': {
        const news = this.#stored[this.#publishedCount]
        if (news !== undefined) void this.#hub.push('acme', toAlertMessage(news))
        if (news !== undefined) this.#publishedCount++
        return
      }
      case 'connect':
        if (this.#connection === undefined) this.#connect()
        return
      case 'subscribeAgain':
        return this.#subscribe()
      case 'answerAsAsked':
      case 'answerAsNow': {
        const question = this.#questions.shift()
        const storedCount = step === 'answerAsNow' ? this.#stored.length : question?.storedCount
        question?.answer(this.#stored.slice(this.storedIds.indexOf(question.since) + 1, storedCount))
        return
      }
      case 'disconnect':
        return this.#disconnect()
      case 'restart':
        this.#disconnect()
        this.#hub = this.#openHub()
        return
      case 'settle':
        return
    }
  }

  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#read()
  }

  /** Lets everything under way finish, with the client connected. */
  async finish(): Promise<void> {
    for (const _ of this.#stored) this.take('publish')
    this.take('connect')
    while (this.#questions.length > 0) this.take('answerAsNow')
    await this.settle()
  }

  #openHub(): PushHub {
    const io = createTestRuntime()
    return new PushHub({
      io,
      log: createLog(io),
      isSessionValid: async () => true,
      readAlertsSince: (_tenant, since) => new Promise((resolve) => {
        if (!('alertId' in since)) throw new Error('the client names alerts')
        this.#questions.push({ since: since.alertId, storedCount: this.#stored.length, answer: resolve })
      }),
      readEventsSince: async () => undefined,
      getLastEventId: () => 'evt_0',
      readMetrics: () => { throw new Error('nobody asks') },
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    })
  }

  #connect(): void {
    this.#wire = new TestWire()
    const identity = { tenant: 'acme', subject: 'ann', roles: ['viewer'], expiresAt: Number.MAX_VALUE, session: undefined } as const
    this.#connection = this.#hub.open(identity, this.#wire)
    this.#subscribe()
  }

  #subscribe(): void {
    if (this.#connection === undefined) return
    this.#hub.receive(this.#connection, JSON.stringify({ action: 'subscribe', topics: ['alerts'], since: this.seen.at(-1) }))
  }

  #disconnect(): void {
    this.#connection?.handleEnd()
    this.#connection = undefined
  }

  #read(): void {
    for (const { type, data } of this.#wire.take()) {
      if (type !== 'new_alert') throw new Error(`the client was sent ${type}`)
      this.seen.push((data as AlertNotification['data']).alert_id)
    }
  }
}

test('in any order of steps, a client that states what it saw last sees each alert once, in order', async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 60 }), async (taken) => {
    const trial = new Trial()
    for (const step of taken) {
      trial.take(step)
      if (step === 'settle') await trial.settle()
    }
    await trial.finish()
    expect(trial.seen).toEqual(trial.storedIds)
  }), { seed: 23, numRuns: 1_000 })
})

const { replayAlertsMax } = limits.push

test.for<[title: string, storedCount: number, since: string, answers: readonly unknown[]]>([
  ['as many as may be, after an alert', replayAlertsMax + 1, 'a-0', Array.from({ length: replayAlertsMax }, () => ({ type: 'new_alert' }))],
  ['one more', replayAlertsMax + 2, 'a-0', [{ type: 'error', data: { code: 'GAP_TOO_LARGE' } }]],
  ['as many as may be, from an instant on', replayAlertsMax, '2026-11-20T10:00:00Z', Array.from({ length: replayAlertsMax }, () => ({ type: 'new_alert' }))],
  ['one more, from an instant on', replayAlertsMax + 1, '2026-11-20T11:00:00+01:00', [{ type: 'error', data: { code: 'GAP_TOO_LARGE' } }]],
  ['none', 1, 'a-0', []],
  ['an alert that never was', 1, 'a-9', [{ type: 'error', data: { code: 'GAP_TOO_LARGE' } }]],
  ['an alert of another tenant', 1, 'o-0', [{ type: 'error', data: { code: 'GAP_TOO_LARGE' } }]],
])('%s', async ([, storedCount, since, answers]) => {
  const world = new PushWorld()
  world.store('other', 'o-0')
  for (let i = 0; i < storedCount; i++) world.store('acme', `a-${i}`)
  const wire = new TestWire()
  const connection = world.hub.open(world.identity(), wire)!
  world.hub.receive(connection, JSON.stringify({ action: 'subscribe', topics: ['alerts'], since }))
  await world.settle()
  expect(wire.take()).toMatchObject(answers)
  await world.raise('acme', 'live')
  expect(wire.take()).toMatchObject([{ type: 'new_alert', data: { alert_id: 'live' } }])
})

test('replays are made a few times a minute', async () => {
  const world = new PushWorld()
  await world.raise('acme', 'a-0')
  await world.raise('acme', 'a-1')
  const wire = new TestWire()
  const connection = world.hub.open(world.identity(), wire)!
  const ask = (): void => world.hub.receive(connection, JSON.stringify({ action: 'subscribe', topics: ['alerts'], since: 'a-0', id: 1 }))
  for (let i = 0; i < limits.push.replaysMax; i++) ask()
  expect(wire.take().filter(({ type }) => type === 'new_alert')).toHaveLength(limits.push.replaysMax)
  ask()
  expect(wire.take()).toMatchObject([{ type: 'error', data: { code: 'RATE_LIMITED', id: 1 } }, { type: 'subscribed' }])
})

test('a replay that exceeds the buffer is not sent', async () => {
  const world = new PushWorld()
  for (let i = 0; i < 10; i++) await world.raise('acme', `a-${i}`)
  const wire = new TestWire()
  const connection = world.hub.open(world.identity(), wire)!
  wire.bufferedCount = limits.push.bufferBytesMax - 1_000
  world.hub.receive(connection, JSON.stringify({ action: 'subscribe', topics: ['alerts'], since: 'a-0' }))
  expect(wire.take()).toMatchObject([{ type: 'error', data: { code: 'GAP_TOO_LARGE' } }])
})

test('more alerts than may be, while the store is asked, are a gap as well', async () => {
  const world = new PushWorld()
  world.store('acme', 'old')
  const wire = new TestWire()
  const connection = world.hub.open(world.identity(), wire)!
  world.holdAnswers()
  world.hub.receive(connection, JSON.stringify({ action: 'subscribe', topics: ['alerts'], since: 'old' }))
  for (let i = 0; i <= replayAlertsMax; i++) await world.raise('acme', `a-${i}`)
  expect(wire.take()).toEqual([])
  world.letAnswersGo()
  await world.settle()
  await world.raise('acme', 'live')
  expect(wire.take()).toMatchObject([{ data: { code: 'GAP_TOO_LARGE' } }, { data: { alert_id: 'live' } }])
})
