import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { FileFormatName } from '../src/files/file-format.ts'
import { limits } from '../src/limits.ts'
import { readEvents, readFile } from './read-file.ts'

const a = { a: 1 }
const b = { b: '[x] {y} "z" \n' }

/** A file, what it is recognised as, and its events. Each is read whole and byte by byte. */
const files: readonly (readonly [title: string, content: string, format: FileFormatName, events: readonly unknown[]])[] = [
  ['NDJSON', `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`, 'ndjson', [a, b]],
  ['NDJSON without its last line feed', `${JSON.stringify(a)}\n${JSON.stringify(b)}`, 'ndjson', [a, b]],
  ['NDJSON with a byte order mark', `\ufeff${JSON.stringify(a)}\n`, 'ndjson', [a]],
  ['an array', JSON.stringify([a, b]), 'json', [a, b]],
  ['an array over lines', JSON.stringify([a, b], undefined, 2), 'json', [a, b]],
  ['an empty array', '[]', 'json', []],
  ['an array of one event a line', `[\n${JSON.stringify(a)},\n${JSON.stringify(b)}\n]\n`, 'json', [a, b]],
  ['an object over lines', JSON.stringify({ a, b }, undefined, 4), 'json', [{ a, b }]],
  ['objects over lines', [a, b].map((one) => JSON.stringify(one, undefined, 2)).join('\n'), 'json', [a, b]],
  ['CloudTrail records', JSON.stringify({ Records: [a, b] }), 'json', [a, b]],
  ['a page of Graph', JSON.stringify({ '@odata.context': 'x', value: [a, b], '@odata.nextLink': 'https://e.org/' }), 'json', [a, b]],
  ['pages of Azure, one a line', `${JSON.stringify({ records: [a] })}\n${JSON.stringify({ records: [b, a] })}\n`, 'json', [a, b, a]],
  ['a page over lines', JSON.stringify({ Events: [a, b], NextToken: 'x', count: 2 }, undefined, 1), 'json', [a, b]],
  ['a page without events', `${JSON.stringify({ Records: [] })}\n`, 'json', []],
  ['an event with a member value', `${JSON.stringify({ id: 1, value: [a] })}\n`, 'ndjson', [{ id: 1, value: [a] }]],
  ['an event whose value is a list of texts', `${JSON.stringify({ value: ['x'] })}\n`, 'ndjson', [{ value: ['x'] }]],
  ['syslog with priorities', '<86>Oct 11 22:14:15 web-1 sshd[42]: Failed password for root from 10.0.0.1 port 22 ssh2\n', 'syslog', [{
    '@timestamp': '2026-10-11T22:14:15.000Z', host: { hostname: 'web-1' }, process: { name: 'sshd', pid: 42 },
    log: { syslog: {
      priority: 86, facility: { code: 10, name: 'authpriv' }, severity: { code: 6, name: 'Informational' },
      hostname: 'web-1', appname: 'sshd', procid: '42',
    } },
    message: 'Failed password for root from 10.0.0.1 port 22 ssh2',
  }]],
  ['a stored log of syslog', 'Dec  3 10:00:00 web-1 su: (to root) alice on pts/0\n', 'syslog', [{
    '@timestamp': '2025-12-03T10:00:00.000Z', host: { hostname: 'web-1' }, process: { name: 'su' },
    log: { syslog: { hostname: 'web-1', appname: 'su' } }, message: '(to root) alice on pts/0',
  }]],
  ['a stored log with ISO times', '2026-05-06T07:08:09.123456+02:00 web-1 cron[7]: (root) CMD (true)\n', 'syslog', [{
    '@timestamp': '2026-05-06T05:08:09.123456Z', host: { hostname: 'web-1' }, process: { name: 'cron', pid: 7 },
    log: { syslog: { hostname: 'web-1', appname: 'cron', procid: '7' } }, message: '(root) CMD (true)',
  }]],
  ['CEF', 'CEF:0|Acme|Wall|1|100|Denied|5|src=10.0.0.1 dst=10.0.0.2 act=deny\n', 'syslog', [{
    message: 'CEF:0|Acme|Wall|1|100|Denied|5|src=10.0.0.1 dst=10.0.0.2 act=deny',
    cef: {
      version: '0', device_vendor: 'Acme', device_product: 'Wall', device_version: '1', device_event_class_id: '100', name: 'Denied',
      severity: '5', extensions: { src: '10.0.0.1', dst: '10.0.0.2', act: 'deny' },
    },
  }]],
  ['LEEF', 'LEEF:1.0|Acme|Wall|1|deny|src=10.0.0.1\tdst=10.0.0.2\n', 'syslog', [{
    message: 'LEEF:1.0|Acme|Wall|1|deny|src=10.0.0.1\tdst=10.0.0.2',
    leef: { version: '1.0', vendor: 'Acme', product: 'Wall', product_version: '1', event_id: 'deny', attributes: { src: '10.0.0.1', dst: '10.0.0.2' } },
  }]],
  ['CSV', 'EventID,Image\n1,"C:\\a, b.exe"\n2,"say ""hi"""\n', 'csv',
    [{ EventID: '1', Image: 'C:\\a, b.exe' }, { EventID: '2', Image: 'say "hi"' }]],
  ['CSV with cells over lines', 'id,text\r\n1,"a\nb"\r\n2,\r\n', 'csv', [{ id: '1', text: 'a\nb' }, { id: '2', text: '' }]],
  ['TSV', 'Time\tEvent ID\n10:00\t4624\n', 'csv', [{ Time: '10:00', 'Event ID': '4624' }]],
  ['CSV with semicolons', 'a;b\n1;2,5\n', 'csv', [{ a: '1', b: '2,5' }]],
  ['a short row', 'a,b,c\n1,2\n', 'csv', [{ a: '1', b: '2' }]],
  ['logfmt', 'time=2024-01-01T00:00:00Z level=info msg="user \\"bob\\" in" path=C:\\temp\n', 'logfmt',
    [{ time: '2024-01-01T00:00:00Z', level: 'info', msg: 'user "bob" in', path: 'C:\\temp' }]],
  ['a firewall', 'date=2024-01-01 devname="FG 1" srcip=10.0.0.1, action=deny;\n', 'logfmt',
    [{ date: '2024-01-01', devname: 'FG 1', srcip: '10.0.0.1', action: 'deny' }]],
  ['pairs behind a time and words', '2024-01-01T00:00:00Z started a=1 b=2\n', 'logfmt',
    [{ a: '1', b: '2', '@timestamp': '2024-01-01T00:00:00Z', message: '2024-01-01T00:00:00Z started a=1 b=2' }]],
  ['a key that repeats', 'a=1 a=2 b=3\n', 'logfmt', [{ a: ['1', '2'], b: '3' }]],
  ['auditd', 'type=EXECVE msg=audit(1551487424.869:71): argc=2 a0="sh" a1=2D63206964\n', 'auditd',
    [{ '@timestamp': '2019-03-02T00:43:44.869Z', type: 'EXECVE', serial: '71', argc: '2', a0: 'sh', a1: '-c id' }]],
  ['auditd, several records of one audit event', ['SYSCALL', 'CWD', 'PROCTITLE'].map((type) => `type=${type} msg=audit(1551487424.869:73): ${type.toLowerCase()}="x"\n`).join(''),
    'auditd', [{ '@timestamp': '2019-03-02T00:43:44.869Z', type: ['SYSCALL', 'CWD', 'PROCTITLE'], serial: '73', syscall: 'x', cwd: 'x', proctitle: 'x' }]],
  ['auditd, enriched, of a program', "node=web1 type=USER_CMD msg=audit(1551487424.869:72): pid=1 auid=0 msg='cwd=\"/\" cmd=6964 exe=\"/bin/sudo\"'\u001dAUID=\"root\"\n",
    'auditd', [{
      '@timestamp': '2019-03-02T00:43:44.869Z', type: 'USER_CMD', serial: '72', node: 'web1', pid: '1', auid: '0',
      msg: 'cwd="/" cmd=6964 exe="/bin/sudo"', cwd: '/', cmd: 'id', exe: '/bin/sudo', AUID: 'root',
    }]],
  ['IIS', '#Software: Microsoft Internet Information Services 10.0\n#Date: 2024-05-01 00:00:00\n'
    + '#Fields: date time cs-method cs-uri-stem cs-uri-query cs(User-Agent) sc-status\n2024-05-01 10:00:01 GET /a - Mozilla/5.0+(X11) 200\n', 'w3c',
  [{
    '@timestamp': '2024-05-01T10:00:01Z', date: '2024-05-01', time: '10:00:01', 'cs-method': 'GET', 'cs-uri-stem': '/a',
    'cs(User-Agent)': 'Mozilla/5.0+(X11)', 'cs-user-agent': 'Mozilla/5.0 (X11)', 'sc-status': '200',
  }]],
  ['W3C whose date stands above', '#Version: 1.0\n#Date: 2024-05-01 00:00:00\n#Fields: time c-ip\n10:00:01 10.0.0.1\n#Fields: c-ip\n10.0.0.2\n', 'w3c',
    [{ '@timestamp': '2024-05-01T10:00:01Z', time: '10:00:01', 'c-ip': '10.0.0.1' }, { 'c-ip': '10.0.0.2' }]],
  ['Zeek', '#separator \\x09\n#set_separator\t,\n#path\tdns\n#fields\tts\tquery\n#types\ttime\tstring\n1.5\ta b\n2\t-\n', 'w3c',
    [{ _path: 'dns', ts: '1.5', query: 'a b' }, { _path: 'dns', ts: '2' }]],
]

test.for(files)('%s', async ([, content, format, events]) => {
  expect(await readFile(content)).toMatchObject({ format, problems: [] })
  expect(await readEvents(content)).toEqual(events)
  expect(await readEvents(content, 1)).toEqual(events)
  expect(await readEvents(content, 7)).toEqual(events)
})

// `a,b` and `1,2`, as xz and bzip2 compress them.
const xz = '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAHYSxiCjEsMgoAvpy9SbUSKv4AASAIuxnZux+2830BAAAAAARZWg=='
const bzip2 = 'QlpoOTFBWSZTWb+HQH8AAANZAAAQAAQwADAAIAAwwAhpsogjJ4u5IpwoSF/DoD+A'

describe('compressed', () => {
  const text = 'a,b\n1,2\n'
  test.for<[name: string, bytes: Buffer]>([
    ['gzip', gzipSync(text)],
    ['gzip in two members', Buffer.concat([gzipSync('a,b\n'), gzipSync('1,2\n')])],
    ['zstd', zstdCompressSync(text)],
    ['bzip2', Buffer.from(bzip2, 'base64')],
    ['xz', Buffer.from(xz, 'base64')],
  ])('%s', async ([, bytes]) => {
    for (const chunkBytes of [Infinity, 1]) expect(await readEvents(bytes, chunkBytes)).toEqual([{ a: '1', b: '2' }])
  })

  test.for<[name: string, bytes: Buffer]>([
    ['gzip', gzipSync('x'.repeat(100)).subarray(0, 20)],
    ['zstd', zstdCompressSync('x'.repeat(100)).subarray(0, 12)],
    ['bzip2', Buffer.concat([Buffer.from('BZh9'), Buffer.from('nonsense that is no block')])],
    ['xz', Buffer.concat([Buffer.from('fd377a585a00', 'hex'), Buffer.from('nonsense that is no stream')])],
  ])('broken %s is refused', async ([name, bytes]) => {
    await expect(readFile(bytes)).rejects.toThrow(`its ${name} is broken`)
  })
})

test.for<[charset: string, bytes: Buffer]>([
  ['UTF-16 with a mark', Buffer.from('\ufeff{"a":"ü"}\n', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('{"a":"x"}\n', 'utf16le')],
  ['UTF-16 in the other order', Buffer.from('\ufeff{"a":"ü"}\n', 'utf16le').swap16()],
])('%s', async ([, bytes]) => {
  const [event] = await readEvents(bytes)
  expect(event).toEqual({ a: bytes.includes(0xfc) ? 'ü' : 'x' })
  expect(await readEvents(bytes, 3)).toEqual([event])
})

describe('what is no event is reported, and the lines of others stay', () => {
  test.for<[title: string, content: string, lines: number[], problems: string[]]>([
    ['rows that are too long', 'a,b\n1,2\n1,2,3\n\n4,5\n', [1, 4], ['2: the row has 3 values for 2 columns']],
    ['rows over lines', 'a,b\n1,"x\ny"\n2,3\n', [1, 3], []],
    ['a quote that stays open', 'a,b\n1,2\n3,"4\n5,6', [1], ['2: a quote is not closed']],
    ['lines without pairs', 'a=1 b=2\nnonsense\nc=3 d=4\n', [0, 2], ['1: the line has no key=value']],
    ['no audit record', 'type=EXECVE msg=audit(1.0:1): a0="x"\nnonsense\n', [0], ['1: the line is no audit record']],
    ['a row of W3C', '#Fields: a b\n1\n1 2\n', [2], ['1: the line has 1 values for 2 fields']],
  ])('%s', async ([, content, lines, problems]) => {
    const read = await readFile(content)
    expect(read.problems).toEqual(problems)
    expect(read.lines.flatMap((line, number) => line === '' ? [] : [number])).toEqual(lines)
  })

  test('an event over the limit', async () => {
    const long = `{"a":"${'x'.repeat(limits.files.eventBytesMax)}"}`
    const read = await readFile(`[{"b":1},${long},{"c":1}]`, 100_000)
    expect(read).toMatchObject({ lines: ['{"b":1}', '', '{"c":1}'], problems: ['1: longer than 4,194,304 bytes'] })
    expect(await readFile(`a=1 b=2\na=${long}\nc=3 d=4\n`, 100_000)).toMatchObject({ problems: ['1: longer than 4,194,304 bytes'] })
  })
})

test.for<[title: string, content: string]>([
  ['a broken first line', '{"a":1,"b\n{"a":2}\n'],
  ['a first line that ends behind a comma', '{"a":1,\n{"a":2}\n'],
  ['a line of prose', 'hello, world of logs\n{"a":2}\n'],
  ['nothing', ''],
])('%s is left to the parser of NDJSON', async ([, content]) => {
  expect((await readFile(content)).format).toBe('ndjson')
})

test('digits of large integers stay', async () => {
  expect((await readFile('[{"n":12345678901234567890}]')).lines).toEqual(['{"n":12345678901234567890}'])
})

test('the format can be stated', async () => {
  expect(await readFile('Name\nalice\n', Infinity, 'csv')).toMatchObject({ lines: ['', '{"Name":"alice"}'] })
})
