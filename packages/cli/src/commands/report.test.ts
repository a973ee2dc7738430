import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { processRuntime, readConfig, startServer } from '@tripline/server'
import type { RunningServer } from '@tripline/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'

const folder = createFolder({})
let server: RunningServer

const tripline = (line: string) => runCaptured(`${line} --data-dir data`, { cwd: folder })

beforeAll(async () => {
  // The clock of the commands, so that their tokens are valid.
  const io = { ...processRuntime(), printLine: () => {}, logLine: () => {}, environment: {}, now: () => Date.UTC(2026, 10, 21) }
  server = await startServer(await readConfig({ settings: { dataDir: [join(folder, 'data')], listen: ['127.0.0.1:0'] } }, io), io)
  const { stdout: token } = await tripline('admin token create --user admin@localhost')
  const ask = async (path: string, body?: object): Promise<{ readonly [name: string]: unknown }> => {
    const headers = { 'content-type': 'application/json', 'authorization': `Bearer ${token.trim()}` }
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
    return await answer.json() as { readonly [name: string]: unknown }
  }
  const { status_url: job } = await ask('/v1/compliance/evidence/collect', { frameworks: ['iso27001'] })
  await vi.waitUntil(async () => (await ask(String(job)))['status'] === 'succeeded', { timeout: 300_000 })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test.for<[format: string, begin: string]>([
  ['pdf', '%PDF-'],
  ['html', '<!doctype html>'],
  ['csv', 'Summary'],
  ['json', '{'],
])('report compliance writes the newest assessment as %s, beside a running server', async ([format, begin]) => {
  const { code, stdout, stderr } = await tripline(`report compliance ISO-27001 --format ${format} --file report --json`)
  const bytes = readFileSync(join(folder, 'report'))
  expect({ code, stderr, printed: JSON.parse(stdout) }).toEqual({ code: 0, stderr: '', printed: { file: 'report', bytes: bytes.length } })
  expect(bytes.toString('latin1', 0, begin.length)).toBe(begin)
})

test('report compliance says what it wrote, and the same assessment gives the same bytes', async () => {
  const read = (): string => readFileSync(join(folder, 'same'), 'utf8')
  const { stdout } = await tripline('report compliance iso27001 --lang ko --format html --file same')
  const first = read()
  expect([stdout, first.includes('lang="ko"')]).toEqual([`wrote 'same', ${Buffer.byteLength(first)} bytes\n`, true])
  await tripline('report compliance iso27001 --lang ko --format html --file same')
  expect(read()).toBe(first)
})

test.for<[line: string, code: number, message: string]>([
  ['report compliance iso27001 gdpr --file x', 2, 'one framework is taken'],
  ['report compliance iso27001', 2, "option '--file <file>' is missing"],
  ['report compliance gdpr --file x', 1, 'gdpr was not assessed'],
  ['report compliance sox --file x', 1,
    "no framework 'sox'; the frameworks are ismsp, iso27001, soc2, pcidss, tisax, cmmc, gdpr, ccpa, nistcsf\n"],
  ['report compliance iso-27002 --file x', 1, "nistcsf; did you mean 'iso27001'?"],
  ['report compliance iso27001 --file nowhere/x', 74, 'the output cannot be written'],
])('%s ends with %i', async ([line, code, message]) => {
  expect(await tripline(line)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
})
