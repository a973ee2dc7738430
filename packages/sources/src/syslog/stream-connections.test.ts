import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { StreamConnections } from './stream-connections.ts'
import type { ListenerConnections, StreamSocket } from './stream-connections.ts'

let port = 1_024

/** A connection that was accepted and does nothing, as far as the limits see it. */
class FakeSocket extends EventEmitter implements StreamSocket {
  readonly remotePort = port++
  readonly remoteAddress: string
  destroyed = false

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.destroyed = true
    queueMicrotask(() => this.emit('close'))
  }
}

function connectFrom(listener: ListenerConnections, remoteAddress: string): FakeSocket {
  const socket = new FakeSocket(remoteAddress)
  listener.add(socket)
  return socket
}

const listOpen = (sockets: readonly FakeSocket[]): number[] => sockets.flatMap(({ destroyed }, i) => (destroyed ? [] : [i]))
const repeat = (count: number, open: () => FakeSocket): FakeSocket[] => Array.from({ length: count }, open)

test('one address beyond its limit loses its own connections, and no other address does', () => {
  const listener = new StreamConnections(100).openListener({ max: 10, perAddressMax: 3 })
  const [other, loud] = [connectFrom(listener, '192.0.2.1'), repeat(20, () => connectFrom(listener, '192.0.2.2'))]
  expect(listOpen(loud)).toEqual([17, 18, 19])
  expect([other.destroyed, listener.count]).toEqual([false, 4])
})

test('addresses of one /64 network count as one', () => {
  const listener = new StreamConnections(100).openListener({ max: 10, perAddressMax: 2 })
  const sockets = [1, 2, 3].map((host) => connectFrom(listener, `2001:db8::${host}`))
  expect(listOpen(sockets)).toEqual([1, 2])
})

test('at the limit of a listener the connection that sent longest ago gives way', () => {
  const listener = new StreamConnections(100).openListener({ max: 3, perAddressMax: 3 })
  const sockets = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => connectFrom(listener, address))
  listener.touch(sockets[0]!)
  sockets.push(connectFrom(listener, '192.0.2.4'))
  expect(listOpen(sockets)).toEqual([0, 2, 3])
})

test('at the limit of all, the listener with the most connections makes room', () => {
  const connections = new StreamConnections(10)
  const bounds = { max: 10, perAddressMax: 10 }
  const [loud, quiet] = [connections.openListener(bounds), connections.openListener(bounds)]
  const many = repeat(10, () => connectFrom(loud, '192.0.2.9'))
  const few = repeat(4, () => connectFrom(quiet, '192.0.2.1'))
  expect([listOpen(many), listOpen(few)]).toEqual([[4, 5, 6, 7, 8, 9], [0, 1, 2, 3]])
  expect([loud.count, quiet.count]).toEqual([6, 4])
})

test('what is closed counts no more', async () => {
  const listener = new StreamConnections(10).openListener({ max: 2, perAddressMax: 2 })
  const [first, second] = repeat(2, () => connectFrom(listener, '192.0.2.1'))
  first!.destroy()
  await Promise.resolve()
  connectFrom(listener, '192.0.2.1')
  expect([listener.count, second!.destroyed]).toEqual([2, false])
})

test('a closed listener gives its connections back', () => {
  const connections = new StreamConnections(2)
  const bounds = { max: 2, perAddressMax: 2 }
  const closed = connections.openListener(bounds)
  repeat(2, () => connectFrom(closed, '192.0.2.1'))
  connections.closeListener(closed)
  const sockets = repeat(2, () => connectFrom(connections.openListener(bounds), '192.0.2.2'))
  expect(listOpen(sockets)).toEqual([0, 1])
})
