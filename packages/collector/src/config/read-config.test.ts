import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfiguration } from './read-config.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-config-'))
  await mkdir(join(folder, 'sources.d'))
  await writeFile(join(folder, 'collector.yaml'), 'server:\n  url: https://tripline.example\n')
})
afterEach(() => rm(folder, { recursive: true }))

const environment = { SCANNER_KEY: 'secret' }
const read = () => readConfiguration(join(folder, 'collector.yaml'), environment)
const writeSource = (name: string, text: string) => writeFile(join(folder, 'sources.d', name), text)
const place = (name: string): string => join(folder, 'sources.d', name)

test('defaults are those of the documentation', async () => {
  await writeSource('auth.yaml', 'type: file\npaths: [/var/log/auth.log]\n')
  expect(await read()).toMatchObject({
    collector: { data_dir: '/var/lib/tripline-collector', buffer: { max_bytes: 1_073_741_824 } },
    controlSocket: '/var/lib/tripline-collector/control.sock',
    sources: [{ name: 'auth', type: 'file', enabled: true, format: 'auto', start_at: 'beginning' }],
  })
})

test('secrets come from the environment or from a file', async () => {
  await writeFile(join(folder, 'key'), 'of a file\n')
  const scanner = (key: string): string => `type: vulnerability_scanner\napi_url: https://us.api.insight.rapid7.com\napi_key: ${key}\n`
  await writeSource('a.yaml', scanner('${SCANNER_KEY}'))
  await writeSource('b.yaml', scanner('file:../key'))
  expect((await read()).sources).toMatchObject([
    { api_key: 'secret', poll_interval: 3_600, verify_ssl: true, collect: ['assets', 'vulnerabilities', 'risk_scores'] }, { api_key: 'of a file' },
  ])
})

test.for<[title: string, text: string, line: number, message: string]>([
  ['an unknown key', 'type: file\npaths: [/a]\nformt: json\n', 3, 'formt: unknown key'],
  ['an unknown key inside another', 'type: file\npaths: [/a]\nlog_source:\n  produkt: linux\n', 4, 'log_source.produkt: unknown key'],
  ['a wrong value', 'type: syslog\nport: 99999\n', 2, 'port: must be a port'],
  ['an unknown type', 'type: fax\n', 1, 'type: must be one of file, syslog, journald, http_poll, kafka, nats, vulnerability_scanner'],
  ['no YAML', 'type: [\n', 1, 'the YAML is not valid: the list that begins with [ here is not closed'],
  ['a variable that is not set', 'type: file\npaths:\n  - ${NOWHERE}\n', 3, 'the environment has no variable NOWHERE'],
  ['a poll that is too frequent', 'type: vulnerability_scanner\napi_url: https://a:3780\napi_key: a:b\npoll_interval: 60\n', 4, 'poll_interval: must be 300 or more'],
  ['an address without a dialect', 'type: vulnerability_scanner\napi_url: https://a\napi_key: a:b\n', 2, 'api_url: the address does not tell the dialect'],
  ['a token address without a client', 'type: http_poll\nurl: https://a\ntoken_url: https://a/token\n', 3, 'token_url: token_url needs client_id and client_secret'],
  ['a path with a gap', 'type: http_poll\nurl: https://a\ncursor_path: meta..next\n', 3, 'cursor_path: must be up to 16 names joined by dots'],
  ['TLS without a key', 'type: syslog\nport: 6514\ntransport: tls\n', 3, 'transport: tls needs tls_cert and tls_key'],
])('%s is refused with its line', async ([, text, line, message]) => {
  await writeSource('a.yaml', text)
  await expect(read()).rejects.toMatchObject({ exitCode: 78, message: expect.stringContaining(`${place('a.yaml')}:${line}: ${message}`) })
})

test('two sources may not have one name', async () => {
  await writeSource('a.yaml', 'type: file\npaths: [/a]\nname: same\n')
  await writeSource('b.yaml', 'type: file\npaths: [/b]\nname: same\n')
  await expect(read()).rejects.toMatchObject({ message: `${place('b.yaml')}:1: the name 'same' belongs to another source` })
})
