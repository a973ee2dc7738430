import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { runCaptured } from '../../test/run-captured.ts'

let stop = (): void => {}
afterEach(() => stop())

/** A server that gives one answer after the other, and the last one from then on. */
async function answer(...answers: readonly (readonly [status: number, body: string])[]): Promise<string> {
  let count = 0
  const server = createServer((_request, response) => {
    const [status, body] = answers[Math.min(count++, answers.length - 1)]!
    response.writeHead(status).end(body)
  }).listen(0, '127.0.0.1')
  stop = () => void server.close()
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const ready = [200, '{"status":"ready"}'] as const
const starting = [503, '{"status":"starting"}'] as const

test('a server that is ready', async () => {
  const server = await answer(ready)
  expect(await runCaptured(`ready --server ${server}`)).toEqual({ code: 0, stdout: 'ready\n', stderr: '' })
  expect((await runCaptured(`ready --server ${server} --json`)).stdout).toBe('{"status":"ready"}\n')
})

test('one that becomes ready is waited for', async () => {
  expect((await runCaptured(`ready --server ${await answer(starting, [502, 'no JSON'], ready)} --wait 60`)).code).toBe(0)
})

test.for<[title: string, answers: readonly (readonly [number, string])[], code: number, message: string]>([
  ['is not ready', [starting], 1, 'is not ready: starting'],
  ['is full', [[503, '{"status":"full"}']], 1, 'is not ready: full'],
  ['speaks of something else', [[404, '{}']], 1, 'is not ready: status 404'],
  ['is none of ours', [[200, 'hello']], 66, 'no server answers at'],
])('one that %s', async ([, answers, code, message]) => {
  const { stderr, ...rest } = await runCaptured(`ready --server ${await answer(...answers)}`)
  expect(rest).toEqual({ code, stdout: '' })
  expect(stderr).toContain(message)
})

test.for<[line: string, code: number]>([['--server http://127.0.0.1:1', 66], ['--server ftp://a', 2], ['--wait -1', 2], ['--wait x', 2]])('ready %s', async ([line, code]) => {
  expect((await runCaptured(`ready ${line}`)).code).toBe(code)
})
