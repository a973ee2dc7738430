import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openEgress } from '../../src/egress/egress.ts'
import type { EgressResponse, EgressRequest } from '../../src/egress/egress.ts'
import { EgressError } from '../../src/egress/egress-error.ts'
import type { ResolveHost } from '../../src/egress/resolve.ts'
import { answerJson, localPolicy, openFarServer } from './far-server.ts'
import type { FarServer } from './far-server.ts'

let far: FarServer
beforeEach(async () => {
  far = await openFarServer(answerJson({ ok: true }))
})
afterEach(() => far.close())

type Asking = Partial<EgressRequest> & { readonly resolve?: ResolveHost; readonly allowCidrs?: readonly string[] }

async function ask({ resolve, allowCidrs = ['127.0.0.0/8'], ...request }: Asking): Promise<EgressResponse> {
  const egress = openEgress({ ...localPolicy, allowCidrs }, { elapsedMs: () => performance.now(), ...(resolve && { resolve }) })
  return await egress({ method: 'GET', url: far.url, timeoutMs: 300_000, bytesMax: 65_536, ...request })
}

/** The result of an attempt: the problem and its message, or the status. */
async function outcomeOf(asking: Asking): Promise<string> {
  try {
    return String((await ask(asking)).status)
  } catch (error) {
    return error instanceof EgressError ? `${error.problem}: ${error.message}` : `not an error of ours: ${String(error)}`
  }
}

test('a response has status, headers and body', async () => {
  const { status, headers, body, isCut, tls } = await ask({})
  expect({ status, type: headers['content-type'], body: body.toString(), isCut, tls })
    .toEqual({ status: 200, type: 'application/json', body: '{"ok":true}', isCut: false, tls: undefined })
})

test('a body and headers are sent', async () => {
  let seen = ''
  far.answer = (request, response) => {
    request.on('data', (piece) => (seen += String(piece)))
    request.on('end', () => response.end(`${String(request.headers['x-key'])} ${request.headers.host}`))
  }
  const { body } = await ask({ method: 'POST', body: 'a=1', headers: { 'x-key': 'k' } })
  expect([seen, body.toString()]).toEqual(['a=1', `k 127.0.0.1:${far.port}`])
})

test.for<[moreCidrs: readonly string[], outcome: RegExp]>([
  [[], /^refused: /],
  [['10.0.0.0/8'], /^refused: /],
  [['10.0.0.0/8', '127.0.0.1/32'], /^200$/],
])('with %j beside what the installation names', async ([moreCidrs, outcome]) => {
  expect(await outcomeOf({ allowCidrs: ['192.168.0.0/16'], extraCidrs: moreCidrs })).toMatch(outcome)
})

describe('no internal address is requested,', () => {
  const spellings = [
    '127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '127.0.0.1.', '0.0.0.0', '0', '[::1]', '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', 'localhost', 'localhost.', 'LOCALHOST',
  ]
  test.for(spellings.map((host) => [host] as const))('spelled %s', async ([host]) => {
    expect(await outcomeOf({ url: `http://${host}:${far.port}/`, allowCidrs: [] })).toMatch(/^(?:refused|unresolved): /)
    expect(far.asked).toEqual([])
  })

  const mapped = (address: string): ResolveHost => async () => [address]
  test.for<[title: string, resolve: ResolveHost]>([
    ['a name of loopback', mapped('127.0.0.1')],
    ['a name of an IPv4 address inside IPv6', mapped('::ffff:127.0.0.1')],
    ['a name of metadata', mapped('169.254.169.254')],
    ['one good and one bad address', async () => ['93.184.215.14', '127.0.0.1']],
    ['one bad and one good address', async () => ['127.0.0.1', '93.184.215.14']],
    ['what is no address', mapped('127.1')],
    ['an address with a zone', mapped('fe80::1%lo')],
  ])('by %s', async ([, resolve]) => {
    expect(await outcomeOf({ url: `http://far.example:${far.port}/`, resolve, allowCidrs: [] }))
      .toBe("refused: 'far.example' may not be requested: it has an address in a range that is not allowed")
    expect(far.asked).toEqual([])
  })

  test('by a name that resolves differently the second time', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']]
    let count = 0
    const resolve: ResolveHost = async () => answers[count++] ?? ['10.0.0.1']
    // Only the first address is allowed: a second lookup would be refused or go elsewhere.
    expect(await outcomeOf({ url: `http://far.example:${far.port}/`, resolve, allowCidrs: ['127.0.0.1/32'] })).toBe('200')
    expect(count).toBe(1)
    expect(await outcomeOf({ url: `http://far.example:${far.port}/`, resolve, allowCidrs: ['127.0.0.1/32'] })).toContain('refused: ')
  })

  test('by a redirect', async () => {
    far.answer = (_request, response) => void response.writeHead(302, { location: `${far.url}/inside` }).end()
    expect(await outcomeOf({ url: `${far.url}/out` })).toBe('302')
    expect(far.asked).toEqual(['GET /out'])
  })
})

test.for<[url: string, addresses: readonly string[], outcome: string]>([
  ['http://far.example/', ['93.184.215.14'], "refused: 'far.example' is requested without TLS; use https"],
  ['https://far.example:9200/', ['93.184.215.14'], "refused: port 9200 of 'far.example' is not allowed; use one of 443, 8443"],
  ['http://far.example:9200/', ['127.0.0.1', '93.184.215.14'], "refused: 'far.example:9200' is requested without TLS; use https"],
])('%s at %j is not allowed towards the internet', async ([url, addresses, outcome]) => {
  expect(await outcomeOf({ url, resolve: async () => addresses })).toBe(outcome)
})

test.for<[title: string, resolve: ResolveHost]>([
  ['no address', async () => []],
  ['an error', () => Promise.reject(new Error('ENOTFOUND'))],
])('a name with %s is not resolved', async ([, resolve]) => {
  expect(await outcomeOf({ url: `http://far.example:${far.port}/`, resolve })).toBe("unresolved: 'far.example' has no address")
})

test('a name that never resolves ends with the timeout', async () => {
  const resolve: ResolveHost = () => new Promise(() => {})
  const outcome = await outcomeOf({ url: `http://far.example:${far.port}/`, resolve, timeoutMs: 50 })
  expect(outcome).toContain('did not respond completely within 50 ms')
})

describe('bodies:', () => {
  const text = 'x'.repeat(1_000)
  test.for<[coding: string, bytes: Buffer]>([
    ['identity', Buffer.from(text)],
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['GZIP', gzipSync(text)],
  ])('%s is decompressed', async ([coding, bytes]) => {
    far.answer = (_request, response) => void response.writeHead(200, { 'content-encoding': coding }).end(bytes)
    expect((await ask({ bytesMax: 1_000 })).body.toString()).toBe(text)
    expect((await ask({ bytesMax: 999, isCut: true })).isCut).toBe(true)
    expect(await outcomeOf({ bytesMax: 999 })).toBe('too_long: the response has more than 999 bytes')
  })

  const million = Buffer.alloc(1_000_000)
  const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  test.for<[title: string, coding: string, bytes: Buffer, outcome: string]>([
    ['a bomb', 'gzip', gzipSync(Buffer.alloc(64_000_000)), 'too_long: '],
    ['a bomb of Brotli', 'br', brotliCompressSync(Buffer.alloc(64_000_000), quickly), 'too_long: '],
    ['a long body', 'identity', million, 'too_long: '],
    ['a long body that does not shrink', 'gzip', gzipSync(randomBytes(1_000_000)), 'too_long: '],
    ['not gzip at all', 'gzip', Buffer.from('hello'), 'damaged: the response is not valid gzip'],
    ['truncated gzip', 'gzip', gzipSync(text).subarray(0, 15), 'damaged: the response is not valid gzip'],
    ['truncated Brotli', 'br', brotliCompressSync(randomBytes(100)).subarray(0, 15), 'damaged: the response is not valid br'],
    ['an unknown coding', 'zstd', Buffer.from('hello'), 'damaged: the response has an unsupported content encoding; supported are gzip, deflate, br'],
    ['two codings', 'gzip, gzip', gzipSync(gzipSync(text)), 'damaged: the response has an unsupported content encoding'],
  ])('%s', async ([, coding, bytes, outcome]) => {
    far.answer = (_request, response) => void response.writeHead(200, { 'content-encoding': coding }).end(bytes)
    expect(await outcomeOf({})).toContain(outcome)
  })

  test.for<[title: string, headers: { [name: string]: string }, piece: () => Buffer]>([
    ['endless', {}, () => Buffer.alloc(10_000, 'x')],
    ['gzip that inflates to nothing', { 'content-encoding': 'gzip' }, () => gzipSync('')],
  ])('one that is %s is read to the bound', async ([, headers, piece]) => {
    far.answer = (_request, response) => {
      response.writeHead(200, headers)
      const write = (): void => {
        while (!response.destroyed && response.write(piece()));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    }
    expect(await outcomeOf({ bytesMax: 100_000 })).toBe('too_long: the response has more than 100000 bytes')
    expect((await ask({ bytesMax: 100_000, isCut: true })).isCut).toBe(true)
  })

  test('one that stalls ends with the timeout', async () => {
    far.answer = (_request, response) => void response.writeHead(200, { 'content-length': '100' }).write('x')
    expect(await outcomeOf({ timeoutMs: 100 })).toBe(`timeout: '127.0.0.1:${far.port}' did not respond completely within 100 ms`)
  })

  test('a truncated one is an error', async () => {
    far.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('x')
      setImmediate(() => response.destroy())
    }
    expect(await outcomeOf({})).toContain('unreachable: ')
  })

  test('gzip in many small chunks is one body', async () => {
    far.answer = (_request, response) => {
      const gzip = createGzip()
      gzip.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }))
      for (let i = 0; i < 100; i++) gzip.write(`${i},`)
      gzip.end()
    }
    expect((await ask({})).body.toString().split(',')).toHaveLength(101)
  })
})

test('an aborted request ends', async () => {
  const giving = new AbortController()
  far.answer = () => giving.abort()
  expect(await outcomeOf({ signal: giving.signal })).toBe(`stopped: '127.0.0.1:${far.port}' was no longer waited for`)
})

test('response headers that are too long are rejected', async () => {
  far.answer = (_request, response) => void response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end()
  expect(await outcomeOf({})).toBe(`too_long: '127.0.0.1:${far.port}' sent response headers that are too long`)
})

test('a header that would split in two is not sent', async () => {
  expect(await outcomeOf({ headers: { authorization: 'a\r\nx: y' } })).toContain('refused: ')
  expect(far.asked).toEqual([])
})

describe('who does not speak HTTP', () => {
  test.for<[said: string, outcome: RegExp]>([
    ['SSH-2.0-OpenSSH_9\r\n', /^damaged: .* sent a response that is not HTTP/],
    ['', /^unreachable: /],
  ])('says %j', async ([said, outcome]) => {
    const server = createServer((socket) => void socket.on('error', () => {}).resume().end(said))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const egress = openEgress(localPolicy, { elapsedMs: () => 0 })
    const asking = egress({ method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 300_000, bytesMax: 10 })
    expect(await asking.then(() => '', (error: EgressError) => `${error.problem}: ${error.message}`)).toMatch(outcome)
    const askingSecurely = egress({ method: 'GET', url: `https://127.0.0.1:${port}/`, timeoutMs: 300_000, bytesMax: 10 })
    await expect(askingSecurely).rejects.toThrow(EgressError)
    await new Promise((resolve) => server.close(resolve))
  })

  test('refuses connections once it is gone', async () => {
    await far.close()
    expect(await outcomeOf({})).toBe(`unreachable: '127.0.0.1:${far.port}' refuses connections`)
  })
})
