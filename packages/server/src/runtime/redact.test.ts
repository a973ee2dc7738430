import { expectProcessorTime, getThreadCpuMs } from '@tripline/engine/test/processor-time'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { AuthFixture, openIssuer } from '../../test/auth-fixture.ts'
import { printApiKey, printPublicId } from '../access/keys/api-key-format.ts'
import { issueAccessToken } from '../access/tokens/access-token.ts'
import { printRefreshToken } from '../access/tokens/refresh-token.ts'
import { redactText, redactValue } from './redact.ts'

test.for<[text: string, printed: string]>([
  ['GET /ws/monitoring?token=abc&x=1', 'GET /ws/monitoring?token=***&x=1'],
  ['/v1/auth/oidc/callback?code=4/0Ab&state=xyz', '/v1/auth/oidc/callback?code=***&state=***'],
  ['Authorization: Bearer abc def', 'Authorization: ***'],
  ['cookie: a=b; c=d\r\nhost: x', 'cookie: ***\r\nhost: x'],
  ['X-Api-Key: abc', 'X-Api-Key: ***'],
  ['{"password":"a\\"b\\\\","user":"ann"}', '{"password":"***","user":"ann"}'],
  ['{"totp":123456,"user":"ann"}', '{"totp":"***","user":"ann"}'],
  ['{"text":"{\\"password\\":\\"x\\\\\\"y\\",\\"user\\":1}"}', '{"text":"{\\"password\\":\\"***\\",\\"user\\":1}"}'],
  ["client_secret='s3', user='ann'", "client_secret='***', user='ann'"],
  ['the password is not told', 'the password is not told'],
  ['password: correct horse battery', 'password: ***'],
  ['{"error":{"code":"UNSUPPORTED_MEDIA_TYPE","message":"m"}}', '{"error":{"code":"UNSUPPORTED_MEDIA_TYPE","message":"m"}}'],
  ['{"state":"open","code":5}', '{"state":"open","code":5}'],
  ['{"code":"SplxlOBeZQQYbYS6WxSbIA"}', '{"code":"***"}'],
  ['tk_0123abcd_secretsecret and more', 'tk_0123abcd_*** and more'],
  ['a eyJhbGciOiJub25lIn0.e30.x-_ b', 'a *** b'],
  ['xeyJh.e30.x/y', 'x***/y'],
  ['eyJh.e30', 'eyJh.e30'],
  ['rules/expired_cert_chain.yml', 'rules/expired_cert_chain.yml'],
  ['tokenLengthMax: 8192', 'tokenLengthMax: 8192'],
  ['{"token":""}', '{"token":""}'],
  ['', ''],
])('%s', ([text, printed]) => {
  expect(redactText(text)).toBe(printed)
  expect(redactText(printed)).toBe(printed)
})

describe('data', () => {
  test.for<[title: string, value: unknown, printed: unknown]>([
    ['names of secrets', { access_token: 'a', 'X-API-Key': 'b', user: 'ann' }, { access_token: '***', 'X-API-Key': '***', user: 'ann' }],
    ['secrets that are objects', { password: { old: 'a' }, n: 1 }, { password: '***', n: 1 }],
    ['texts of lists', ['token=abc', 1, null, true], ['token=***', 1, null, true]],
    ['texts that are keys', { 'token=abc': 1 }, { 'token=***': 1 }],
    ['codes of errors', { error: { code: 'NOT_FOUND', message: 'password=x' } }, { error: { code: 'NOT_FOUND', message: 'password=***' } }],
    ['nothing', { token: null }, { token: null }],
  ])('%s', ([, value, printed]) => {
    expect(redactValue(value)).toEqual(printed)
  })

  test('a key named __proto__ is kept', () => {
    expect(JSON.stringify(redactValue(JSON.parse('{"__proto__":{"token":"a"}}')))).toBe('{"__proto__":{"token":"***"}}')
  })

  test('values nested too deeply are masked', () => {
    let nested: unknown = 'secret'
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    expect(JSON.stringify(redactValue(nested))).toBe(`${'['.repeat(16)}"***"${']'.repeat(16)}`)
  })
})

describe('masks every secret', () => {
  let accessToken: string
  beforeAll(async () => {
    const world = new AuthFixture()
    const holder = { tenant: 'acme', subject: 'u', roles: ['viewer'] as const, session: { id: 's', permissionsVersion: 1 } }
    accessToken = await issueAccessToken(await openIssuer(world), holder, world)
  })

  test('of a known format, whatever surrounds it', () => {
    fc.assert(fc.property(fc.string(), fc.string(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (before, after, secret) => {
      const key = printApiKey(printPublicId(secret.subarray(0, 5)), secret)
      const ticket = { tenant: 'acme', sessionId: 's', generation: 1 }
      for (const one of [accessToken, key, printRefreshToken(secret, ticket)]) {
        expect(redactText(before + one + after)).not.toContain(one.slice(-30))
      }
    }))
  })

  const names = fc.constantFrom(
    'token', 'access_token', 'refresh_token', 'api_key', 'client_secret', 'password', 'authorization', 'cookie', 'x-api-key', 'Set-Cookie')
  const fields = fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 })

  test('under its name in JSON, in JSON within JSON, and in data', () => {
    fc.assert(fc.property(names, fc.string(), fields, (name, noise, others) => {
      const secret = `hunter2${noise}hunter2`
      const data = { ...others, [name]: secret, last: 1 }
      let text = JSON.stringify(data)
      for (let level = 0; level < 3; level++) {
        expect(redactText(text)).not.toContain('hunter2')
        text = JSON.stringify({ text })
      }
      expect(JSON.stringify(redactValue(data))).not.toContain('hunter2')
    }))
  })

  test('under its name in a query', () => {
    fc.assert(fc.property(names, fc.string(), (name, noise) => {
      const query = new URLSearchParams({ a: 'b', [name]: `hunter2${noise.toWellFormed()}hunter2`, c: 'd' })
      expect(redactText(`GET /x?${query.toString()} 200`)).toMatch(/^GET \/x\?a=b&[\w-]+=\*\*\*&c=d 200$/)
    }))
  })

  test('under its name in a header', () => {
    fc.assert(fc.property(names, fc.string({ unit: 'grapheme-ascii' }), (name, noise) => {
      expect(redactText(`host: x\r\n${name}: hunter2${noise}hunter2\r\nlast: y`)).toMatch(/^host: x\r\n[\w-]+: \*\*\*\r\nlast: y$/i)
    }))
  })
})

test('values without names are unchanged', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom('a', '1', ' ', '"', ':', '=', '.', '\\', '\n', 'eyJ', '&')), (parts) => {
    fc.pre(!/eyJ[\w-]+\.[\w-]+\.[\w-]/.test(parts.join('')))
    expect(redactText(parts.join(''))).toBe(parts.join(''))
  }))
})

test.for<[unit: string]>([
  ['eyJ'], ['eyJa.'], ['a.'], ['tk_'], ['tk_0123abcd_'], ['token'], ['token='], ['token="'], ['token:\\'], ['code="'], ['code=a'],
  ['code:'], ['\\'], ['"'], [' '], ['token        '], ['state: '],
])('a megabyte of %j is read in time', ([unit]) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
  const startedMs = getThreadCpuMs()
  redactText(text)
  expectProcessorTime(getThreadCpuMs() - startedMs, 1_000)
})
