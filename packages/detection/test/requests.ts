import type { RawEvent } from '../src/stages/event-message.ts'
import { anySshLogin } from './rules.ts'
import { rawEvent, worldNowMs } from './world.ts'

/** A rule that a correlation refers to. */
export const failedLogin = `title: Failed login
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0011
name: failed_login
logsource: { product: linux, service: sshd }
detection:
  selection: { message|contains: Failed }
  condition: selection
level: low
`

/** Three failures of a user within a minute. */
export const manyFailures = `title: Many failed logins
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0012
correlation:
  type: event_count
  rules: [failed_login]
  group-by: [user]
  timespan: 1m
  condition: { gte: 3 }
  generate: true
level: high
`

/** A user whose failures end, which only the passing of time shows. */
export const fewFailures = `title: Few failed logins
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0013
correlation:
  type: event_count
  rules: [failed_login]
  group-by: [user]
  timespan: 10s
  condition: { eq: 2 }
level: medium
`

export const crashRules = [anySshLogin, failedLogin, manyFailures, fewFailures]

/** The requests of senders, one after the other, each at its time. */
export type Request = { readonly tenant: string; readonly at: number; readonly events: readonly RawEvent[] }

/** Failed and accepted logins of some users, out of order, some sent twice. */
export function requestsOf(count: number): readonly Request[] {
  return Array.from({ length: count }, (_, i) => {
    const at = worldNowMs + i * 4_000
    const login = (n: number, word: string): RawEvent => {
      const time = new Date(at - ((n * 1_700) % 4_000)).toISOString()
      const user = `u${(i + n) % 3}`
      return rawEvent({ _logsource: { product: 'linux', service: 'sshd' }, '@timestamp': time, message: `${word} password`, user, host: `h${n}`, i }, `${i}-${n}`)
    }
    const again = i > 0 && i % 3 === 0 ? [rawEvent({ sent: 'twice' }, `${i - 1}-0`)] : []
    return { tenant: i % 4 === 3 ? 'b' : 'a', at, events: [login(0, 'Failed'), login(1, i % 2 === 0 ? 'Accepted' : 'Failed'), ...again] }
  })
}

/** An event of the process that is killed, by its number: each fifth is a login of its own host, the others fail. */
export function killEvent(number: number): RawEvent {
  const isLogin = number % 5 === 0
  const text = isLogin ? 'Accepted password' : 'Failed password'
  const host = isLogin ? `h${number}` : 'web-1'
  return rawEvent({ _logsource: { product: 'linux', service: 'sshd' }, message: text, user: `u${number % 3}`, host, number }, String(number))
}
