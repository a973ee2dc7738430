import { beforeEach, expect, test } from 'vitest'
import { AuthFixture } from '../../../test/auth-fixture.ts'
import { limits } from '../limits.ts'
import { Tickets, isTicketText } from './ticket.ts'

const identity = { tenant: 'acme', subject: 'ann', roles: ['viewer'], expiresAt: Number.MAX_VALUE, session: undefined } as const

let world: AuthFixture
let tickets: Tickets
beforeEach(() => {
  world = new AuthFixture()
  tickets = new Tickets(world)
})

test('a ticket is valid once', () => {
  const ticket = tickets.issue(identity)
  expect(tickets.redeem(ticket)).toBe(identity)
  expect(tickets.redeem(ticket)).toBe(undefined)
})

test.for<[ms: number, isGood: boolean]>([
  [limits.push.ticketMs - 1, true],
  [limits.push.ticketMs, false],
])('after %i ms it is good: %j', ([ms, isGood]) => {
  const ticket = tickets.issue(identity)
  world.pass(ms)
  expect(tickets.redeem(ticket) !== undefined).toBe(isGood)
})

test('beyond the limit, the oldest ticket is dropped', () => {
  const [first = '', second = ''] = Array.from({ length: limits.push.ticketsMax + 1 }, () => tickets.issue(identity))
  expect([first, second].map((ticket) => tickets.redeem(ticket))).toEqual([undefined, identity])
})

test('expired tickets do not count', () => {
  for (let i = 0; i < limits.push.ticketsMax; i++) tickets.issue(identity)
  world.pass(limits.push.ticketMs)
  const [first = ''] = Array.from({ length: limits.push.ticketsMax }, () => tickets.issue(identity))
  expect(tickets.redeem(first)).toBe(identity)
})

test.for<[title: string, text: () => string, isTicket: boolean]>([
  ['a ticket', () => tickets.issue(identity), true],
  ['a ticket and a letter more', () => `${tickets.issue(identity)}a`, false],
  ['how a ticket begins', () => 'wt_', false],
  ['nothing', () => '', false],
  ['a token', () => 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl', false],
])('%s', ([, text, isTicket]) => {
  expect(isTicketText(text())).toBe(isTicket)
})
