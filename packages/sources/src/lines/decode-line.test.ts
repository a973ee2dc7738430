import { expect, test } from 'vitest'
import { decodeLine } from './decode-line.ts'

const receivedAt = Date.parse('2026-11-20T10:00:00Z')
const decode = (line: string, options: Partial<Parameters<typeof decodeLine>[1]> = {}): unknown => {
  const decoded = decodeLine(Buffer.from(line), { format: 'auto', logsource: undefined, receivedAt, hostname: 'here', ...options })
  return 'bytes' in decoded ? JSON.parse(Buffer.from(decoded.bytes).toString()) : decoded
}

test.for<[title: string, line: string, event: object]>([
  ['JSON', '{"a":1}', { a: 1, log: { file: { path: '/x' } } }],
  ['a line of auth.log', 'Nov 20 09:00:00 web-1 sshd[7]: Failed password for root from 203.0.113.9 port 1 ssh2', {
    host: { hostname: 'web-1' }, process: { name: 'sshd', pid: 7 }, log: { syslog: { appname: 'sshd' }, file: { path: '/x' } },
  }],
  ['a line of rsyslog with an exact time', '2026-11-20T09:00:00.123456+00:00 web-1 sshd[7]: Failed password for root', {
    '@timestamp': '2026-11-20T09:00:00.123456Z', host: { hostname: 'web-1' }, process: { name: 'sshd', pid: 7 },
  }],
  ['a line without a header', 'disk is full', { message: 'disk is full', host: { hostname: 'here' } }],
  ['an audit record', 'type=SYSCALL msg=audit(1763632800.123:42): arch=c000003e exe="/usr/bin/id"', {
    type: 'SYSCALL', serial: '42', exe: '/usr/bin/id', '@timestamp': '2025-11-20T10:00:00.123Z', host: { hostname: 'here' },
  }],
])('recognises %s', ([, line, event]) => {
  expect(decode(line, { path: '/x' })).toMatchObject(event)
})

test('a log source is added where the event has none', () => {
  const logsource = { product: 'linux' }
  expect(decode('{"a":1}', { logsource })).toMatchObject({ _logsource: logsource })
  expect(decode('{"a":1,"_logsource":{"product":"zeek"}}', { logsource })).toMatchObject({ _logsource: { product: 'zeek' } })
  expect(decode('text', { logsource, format: 'text' })).toMatchObject({ _logsource: logsource, message: 'text' })
})

test('what must be JSON and is not is a problem', () => {
  expect(decode('{"a":', { format: 'json' })).toEqual({ problem: 'the event is incomplete JSON' })
  expect(decode('{"a":1} x', { format: 'json' })).toEqual({ problem: 'something follows the JSON object' })
})

test('a message without a host gets none', () => {
  expect(decode('disk is full', { hostname: undefined })).not.toHaveProperty('host')
  expect(decode('disk is full', { hostname: undefined, format: 'text' })).not.toHaveProperty('host')
})
