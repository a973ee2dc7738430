import { expect, test } from 'vitest'
import { ConnectionLimiter } from './connection-limiter.ts'
import type { LimitedSocket } from './connection-limiter.ts'

class TestSocket implements LimitedSocket {
  readonly name: string
  readonly #closed: string[]
  #onClose = (): void => {}

  constructor(name: string, closed: string[]) {
    this.name = name
    this.#closed = closed
  }

  once(_event: 'close', listener: () => void): void {
    this.#onClose = listener
  }

  destroy(): void {
    this.#closed.push(this.name)
    this.#onClose()
  }
}

/**
 * Steps, in order: `a1` opens a connection of address `a`, `a1?` begins a request on it, `a1.` ends one, `a1-` closes it.
 * `p` is a proxy, which counts in all alone.
 */
function run(steps: string, { max = 4, perAddressMax = 3 } = {}): Record<'evicted' | 'refused', string> {
  const evicted: string[] = []
  const refused: string[] = []
  const states: string[] = []
  const sockets = new Map<string, TestSocket>()
  const limiter = new ConnectionLimiter({
    max, perAddressMax, crowdedShare: 0.5, onRefused: (limit) => void refused.push(limit), onEvicted: (state) => void states.push(state),
  })
  for (const step of steps.split(' ')) {
    const name = step.slice(0, 2)
    const socket = sockets.get(name) ?? new TestSocket(name, evicted)
    sockets.set(name, socket)
    if (step.endsWith('?')) limiter.beginRequest(socket)
    else if (step.endsWith('.')) limiter.endRequest(socket)
    else if (step.endsWith('-')) {
      socket.destroy()
      evicted.pop()
    } else limiter.admit(socket, name.startsWith('p') ? undefined : name.slice(0, 1))
  }
  return { evicted: evicted.map((name, i) => `${name} ${states[i]}`).join(', '), refused: refused.join(', ') }
}

test.for<[what: string, steps: string, evicted: string, refused: string]>([
  ['room for all', 'a1 b1 c1 d1', '', ''],
  ['too many in all: the one that waits for longest', 'a1 b1 c1 d1 e1', 'a1 silent', ''],
  ['a flood of silent ones evicts itself', 'b1 b1? a1 a2 a3 a4 a5 a6 a7', 'a1 silent, a2 silent, a3 silent, a4 silent', ''],
  ['too many of one address, although there is room', 'a1 a2 a3 a4', 'a1 silent', ''],
  ['a connection with a request stays', 'a1 b1 a1? c1 d1 e1', 'b1 silent', ''],
  ['a new one stays longer than one that was kept', 'a1 a1? a1. b1 c1 d1 e1', 'a1 idle', ''],
  ['one that was kept for a shorter time stays', 'a1 b1 b1? b1. a1? a1. c1 d1 e1', 'b1 idle', ''],
  ['idle ones in the order of their last request', 'a1 a1? b1 b1? c1 c1? d1 d1? b1. a1. e1 f1', 'b1 idle, a1 idle', ''],
  ['two requests on one connection', 'a1 a1? a1? a1. b1 b1? c1 c1? d1 d1? e1', '', 'all'],
  ['all have requests', 'a1 a1? b1 b1? c1 c1? d1 d1? e1', '', 'all'],
  ['all of one address have requests', 'a1 a1? a2 a2? a3 a3? a4 b1', '', 'address'],
  ['an address at its limit evicts no other', 'b1 a1 a1? a2 a2? a3 a3? a4', '', 'address'],
  ['a closed one leaves room', 'a1 a2 a3 a2- a4', '', ''],
  ['all of an address closed', 'a1 a1- a2 a2- a3 a3- a4 a4- a5 a6 a7', '', ''],
  ['a proxy has no limit of its own', 'p1 p2 p3 p4', '', ''],
  ['a proxy counts in all', 'p1 p2 p3 p4 p5', 'p1 silent', ''],
  ['a refused one counts nothing', 'a1 a1? a2 a2? a3 a3? a4 a4? a4. a1- a5', '', 'address'],
])('%s', ([, steps, evicted, refused]) => {
  expect(run(steps)).toEqual({ evicted, refused })
})

test('is crowded above its share, and knows whether connections are kept', () => {
  const limiter = new ConnectionLimiter({ max: 4, perAddressMax: 4, crowdedShare: 0.5, onRefused: () => {}, onEvicted: () => {} })
  const sockets = ['1', '2', '3'].map((name) => new TestSocket(name, []))
  const crowded = sockets.map((socket) => {
    limiter.admit(socket, 'a')
    return limiter.isCrowded
  })
  expect(crowded).toEqual([false, false, true])
  expect(limiter.hasIdle).toBe(false)
  limiter.beginRequest(sockets[0]!)
  limiter.endRequest(sockets[0]!)
  expect(limiter.hasIdle).toBe(true)
  sockets[0]?.destroy()
  expect([limiter.isCrowded, limiter.hasIdle]).toEqual([false, false])
})
