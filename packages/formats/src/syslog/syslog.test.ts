import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeSyslog } from './decode-message.ts'
import type { SyslogFormat } from './decode-message.ts'
import { FrameReader } from './frame-reader.ts'
import type { SyslogFraming } from './frame-reader.ts'

const receivedAt = Date.UTC(2026, 10, 20, 10)

function decode(text: string, format?: SyslogFormat): unknown {
  const decoded = decodeSyslog(Buffer.from(text), { receivedAt, ...(format && { format }) })
  return 'refusal' in decoded ? decoded.refusal.code : JSON.parse(Buffer.from(decoded.bytes ?? '').toString())
}

const auth = { code: 4, name: 'auth' }
const critical = { code: 2, name: 'Critical' }

describe('a message', () => {
  test.for<[what: string, text: string, event: object | string]>([
    [
      'of RFC 5424 with structured data, as logger sends it',
      String.raw`<34>1 2026-11-20T10:00:00.123456+01:00 web-1 sshd 42 ID47 [timeQuality tzKnown="1"][zoo@123 tiger="a \"b\" \] \\ c"] hello`,
      {
        '@timestamp': '2026-11-20T09:00:00.123456Z', message: 'hello', host: { hostname: 'web-1' }, process: { name: 'sshd', pid: 42 },
        log: { syslog: {
          priority: 34, facility: auth, severity: critical, version: '1', hostname: 'web-1', appname: 'sshd', procid: '42', msgid: 'ID47',
          structured_data: { timeQuality: { tzKnown: '1' }, 'zoo@123': { tiger: String.raw`a "b" ] \ c` } },
        } },
      },
    ],
    ['of RFC 5424 without anything', '<34>1 - - - - - -', 'NO_EVENT'],
    [
      'of RFC 3164', '<34>Nov  2 22:14:15 web-1 su[7]: failed',
      {
        '@timestamp': '2026-11-02T22:14:15.000Z', message: 'failed', host: { hostname: 'web-1' }, process: { name: 'su', pid: 7 },
        log: { syslog: { priority: 34, facility: auth, severity: critical, hostname: 'web-1', appname: 'su', procid: '7' } },
      },
    ],
    [
      'of rsyslog with a precise time', '<34>2026-11-20T09:59:59.5Z web-1 cron: run',
      { '@timestamp': '2026-11-20T09:59:59.500Z', message: 'run', process: { name: 'cron' } },
    ],
    ['of the last year', '<34>Dec 31 23:59:59 h a: x', { '@timestamp': '2025-12-31T23:59:59.000Z' }],
    ['without a host', '<34>Nov 20 09:00:00 sshd[1]: x', { message: 'x', process: { name: 'sshd', pid: 1 } }],
    ['without a header but its priority', '<34>only text', { message: 'only text' }],
    ['without a priority', 'plain text: x', { message: 'plain text: x' }],
    ['of no priority that exists', '<999>x', { message: '<999>x' }],
    ['with a time that does not exist', '<34>Feb 31 10:00:00 h a: x', { message: 'Feb 31 10:00:00 h a: x' }],
    [
      'in CEF', String.raw`<34>Nov 20 09:00:00 fw CEF:0|Acme|Wall \| 1|2.0|100|Blocked|7|src=10.0.0.1 msg=a \= b cs1Label=Policy cs1=Block all act=deny`,
      { host: { hostname: 'fw' }, cef: {
        version: '0', device_vendor: 'Acme', device_product: 'Wall | 1', device_version: '2.0', device_event_class_id: '100', name: 'Blocked',
        severity: '7', extensions: { src: '10.0.0.1', msg: 'a = b', cs1Label: 'Policy', cs1: 'Block all', Policy: 'Block all', act: 'deny' },
      } },
    ],
    ['in LEEF 1', 'LEEF:1.0|Acme|Ids|3|login|src=10.0.0.1\tusrName=ada lovelace', { leef: { attributes: { src: '10.0.0.1', usrName: 'ada lovelace' } } }],
    ['in LEEF 2 with a delimiter', 'LEEF:2.0|Acme|Ids|3|login|^|a=1^b=2', { leef: { attributes: { a: '1', b: '2' } } }],
    ['in LEEF 2 with a code', 'LEEF:2.0|Acme|Ids|3|login|0x5E|a=1^b=2', { leef: { attributes: { a: '1', b: '2' } } }],
    [
      'of nginx', '<190>Nov 20 09:00:00 h nginx: 10.0.0.9 - ada [20/Nov/2026:09:59:58 +0100] "GET /a.php?id=1 HTTP/1.1" 200 12 "-" "curl/8"',
      {
        '@timestamp': '2026-11-20T08:59:58.000Z', 'c-ip': '10.0.0.9', 'cs-username': 'ada', 'cs-method': 'GET', 'cs-uri-stem': '/a.php',
        'cs-uri-query': 'id=1', 'sc-status': 200, 'sc-bytes': 12, 'cs-user-agent': 'curl/8', process: { name: 'nginx' },
      },
    ],
    ['of Apache in the common format', '10.0.0.9 - - [20/Nov/2026:09:59:58 +0000] "POST /x HTTP/1.0" 404 -', { 'cs-method': 'POST', 'sc-status': 404 }],
    [
      'of squid', '<13>Nov 20 09:00:00 h (squid-1): 1763632800.123    456 10.0.0.9 TCP_MISS/200 1234 GET http://a.example/x - HIER_DIRECT/10.1.1.1 text/html',
      { 'c-uri': 'http://a.example/x', 'cs-host': 'a.example', 'c-ip': '10.0.0.9', 'sc-status': 200, 's-action': 'TCP_MISS' },
    ],
    [
      'of auditd', `<13>Nov 20 09:00:00 h audispd: type=USER_CMD msg=audit(1763632800.123:77): pid=1 auid=1000 msg='cwd="/" cmd="id" res=success'`,
      { type: 'USER_CMD', '@timestamp': '2025-11-20T10:00:00.123Z', serial: '77', auid: '1000', cwd: '/', cmd: 'id', res: 'success' },
    ],
    [
      'of auditd with encoded arguments', '<13>Nov 20 09:00:00 h audispd: type=EXECVE msg=audit(1763632800.123:78): argc=2 a0="sh" a1=2D63206964',
      { type: 'EXECVE', serial: '78', a0: 'sh', a1: '-c id' },
    ],
    ['of a firewall', '<189>date=2026-11-20 time=10:00:00 devname="fg 1" devid="FG1" logid="1" type="event"', { devname: 'fg 1', devid: 'FG1', type: 'event' }],
    [
      'of JSON, which is the event', '<34>1 2026-11-20T10:00:00Z h app - - - @cee: {"EventID":1, "big":12345678901234567890}',
      { EventID: 1, '@timestamp': '2026-11-20T10:00:00.000Z', log: { syslog: expect.objectContaining({ hostname: 'h' }) } },
    ],
    ['of JSON with a log of its own', '<34>{"log":{"level":"x"},"@timestamp":"2026-01-01T00:00:00Z"}', { log: { level: 'x' }, syslog: { priority: 34, facility: auth, severity: critical }, '@timestamp': '2026-01-01T00:00:00Z' }],
  ])('%s', ([, text, event]) => {
    if (typeof event === 'string') expect(decode(text)).toBe(event)
    else expect(decode(text)).toMatchObject(event)
  })

  test('of JSON keeps its bytes', () => {
    const decoded = decodeSyslog(Buffer.from('<34>{"a":12345678901234567890}\n'), { receivedAt })
    expect('bytes' in decoded && Buffer.from(decoded.bytes ?? '').toString()).toMatch(/^\{"a":12345678901234567890,"log":\{/)
  })

  test.for<[format: SyslogFormat, text: string, isTaken: boolean]>([
    ['rfc5424', '<34>1 - h - - - - x', true], ['rfc5424', '<34>Nov 20 09:00:00 h a: x', false], ['rfc3164', '<34>Nov 20 09:00:00 h a: x', true],
    ['cef', 'CEF:0|a|b|c|d|e|1|', true], ['cef', '<34>x', false], ['leef', 'LEEF:1.0|a|b|c|d|', true], ['json', '<34>{}', true], ['json', '{', false],
    ['rfc5424', '<34>1 - h - - - - {"a":1}', true],
  ])('where %s is wanted: %s is taken %s', ([format, text, isTaken]) => {
    expect(decode(text, format) !== 'UNSUPPORTED_FORMAT').toBe(isTaken)
  })

  test('of any bytes is an event or refused, and keeps its text', () => {
    const part = fc.constantFrom('<34>', '1 ', '2026-11-20T10:00:00Z ', 'Nov 20 10:00:00 ', 'h ', 'app[1]: ', '[a b="c"] ', 'CEF:0|a|b|', 'LEEF:2.0|', '{"a":', '}', '\\', '"', '\0', '=', '|')
    fc.assert(fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 9 })), { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const decoded = decodeSyslog(Buffer.from(text), { receivedAt })
      expect('refusal' in decoded || Object.keys(decoded.event).length > 0).toBe(true)
    }), { numRuns: 2_000, seed: 7 })
  })
})

describe('a stream', () => {
  function split(chunks: readonly string[], framing: SyslogFraming = 'auto'): { messages: string[]; tooLongCount: number } {
    let tooLongCount = 0
    const reader = new FrameReader({ framing, messageBytesMax: 40, onTooLong: () => tooLongCount++ })
    const messages = chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)))
    const rest = reader.takeRest()
    return { messages: [...messages, ...(rest === undefined ? [] : [rest])].map(String), tooLongCount }
  }

  const long = 'x'.repeat(41)
  test.for<[what: string, chunks: string[], messages: string[], tooLongCount?: number, framing?: SyslogFraming]>([
    ['of lines', ['<1>a\n<1>b\n'], ['<1>a', '<1>b']],
    ['of counted messages', ['4 <1>a4 <1>b'], ['<1>a', '<1>b']],
    ['of both', ['<1>a\n4 <1>b<1>c\n4 <1>d\n'], ['<1>a', '<1>b', '<1>c', '<1>d']],
    ['with line feeds in a counted message', ['7 <1>a\nb\n4 <1>c'], ['<1>a\nb\n', '<1>c']],
    ['in single bytes', '4 <1>a<1>b\n'.split(''), ['<1>a', '<1>b']],
    ['without an end', ['<1>a\n<1>b'], ['<1>a', '<1>b']],
    ['that breaks off in a counted message', ['9 <1>a'], []],
    ['of lines that begin with numbers', ['12 monkeys\n2026 x\n'], ['12 monkeys', '2026 x']],
    ['with a line that is too long', [`<1>a\n${long}\n<1>b\n`], ['<1>a', '<1>b'], 1],
    ['with a line that is too long in parts', [long, long, '\n<1>b\n'], ['<1>b'], 1],
    ['with a counted message that is too long', [`41 <${long.slice(1)}4 <1>b`], ['<1>b'], 1],
    ['with a counted message that is too long in parts', ['50 <', 'x'.repeat(30), `${'x'.repeat(19)}4 <1>b`], ['<1>b'], 1],
    ['of lines alone', ['4 <1>a\n'], ['4 <1>a'], 0, 'newline'],
    ['of counted messages alone', ['4 abcd3 efg'], ['abcd', 'efg'], 0, 'octet_counted'],
  ])('%s', ([, chunks, messages, tooLongCount = 0, framing]) => {
    expect(split(chunks, framing)).toEqual({ messages, tooLongCount })
  })

  test('gives the same messages however it is cut', () => {
    const message = fc.tuple(fc.boolean(), fc.stringMatching(/^<\d>[a-z ]{0,20}$/))
    fc.assert(fc.property(fc.array(message, { maxLength: 20 }), fc.array(fc.nat({ max: 7 }), { minLength: 1 }), (sent, sizes) => {
      const stream = sent.map(([isCounted, text]) => (isCounted ? `${text.length} ${text}` : `${text}\n`)).join('')
      const chunks: string[] = []
      for (let at = 0, i = 0; at < stream.length; i++) {
        const size = 1 + (sizes[i % sizes.length] ?? 0)
        chunks.push(stream.slice(at, at + size))
        at += size
      }
      expect(split(chunks).messages).toEqual(sent.map(([, text]) => text))
    }), { seed: 7 })
  })
})
