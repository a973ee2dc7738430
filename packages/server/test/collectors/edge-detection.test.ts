import { killCollectors } from '@tripline/collector/test/collector-process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { killServerProcesses } from '../server-process.ts'
import { CollectorWorld } from './collector-world.ts'

let folder: string
let world: CollectorWorld
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripline-edge-'))
  world = await CollectorWorld.open(folder)
})
afterEach(async () => {
  killCollectors()
  killServerProcesses()
  await world.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const rootLogin = `
title: Root logs in over SSH
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0201
status: test
description: A branch office has no reason for it.
tags: [attack.initial-access, attack.t1078]
logsource: {product: linux, service: sshd}
detection: {keywords: ['Accepted password for root'], condition: keywords}
level: critical
`
const guesses = rootLogin.replace('Root logs in over SSH', 'Failed password').replace('0201', '0202')
  .replace('Accepted password for root', 'Failed password').replace('level: critical', 'level: low')

async function readAlerts(): Promise<readonly string[]> {
  const { alerts } = await world.call('GET', '/v1/alerts?limit=100') as { readonly alerts: readonly { readonly id: string }[] }
  const shown: string[] = []
  for (const { id } of alerts) shown.push(JSON.stringify(await world.call('GET', `/v1/alerts/${id}`)))
  return shown
}

/** A line of auth.log, of the minute before this: searches look for what is of today. */
const minute = new Date(Date.now() - 60_000).toISOString().slice(0, 17)
const line = (second: number, text: string): string => `${minute}${String(second).padStart(2, '0')}Z branch-1 sshd[7]: ${text}\n`

test('a collector detects without its server, sends alerts alone, and each is one alert there, whatever was killed', async () => {
  const rules = join(folder, 'edge-rules')
  mkdirSync(rules)
  writeFileSync(join(rules, 'root.yml'), rootLogin)
  writeFileSync(join(rules, 'guesses.yml'), guesses)
  const log = join(folder, 'auth.log')
  writeFileSync(log, '')
  const sources = { auth: { type: 'file', paths: [log], format: 'syslog' } }
  await world.enrol(sources, { detect: 'edge', rules: [rules] })
  await world.stopServer('SIGKILL')
  world.collector.start()
  for (let i = 0; i < 200; i++) appendFileSync(log, line(i % 60, `Accepted publickey for deploy from 10.0.0.9 port ${i} ssh2`))
  appendFileSync(log, line(30, 'Accepted password for root from 203.0.113.9 port 4711 ssh2'))
  for (let i = 0; i < 6; i++) appendFileSync(log, line(40 + i, `Failed password for root from 203.0.113.9 port ${i} ssh2`))
  const status = async () => JSON.parse((await world.collector.command('status', '--json')).stdout || '{}') as {
    readonly detect?: { readonly events: number; readonly alerts: number }; readonly buffer?: { readonly events: number }
  }
  await world.waitFor(status, ({ detect }) => detect?.events === 207)
  const { detect: { alerts: found } = { alerts: 0 }, buffer } = await status()
  expect(found).toBe(7)
  expect(buffer?.events).toBe(found)
  await world.collector.stop('SIGKILL')
  await world.startServer()
  world.collector.start()
  const stored = async () => await world.search('Accepted')
  await world.waitFor(stored, ({ length }) => length > 0)
  await world.waitFor(status, ({ buffer: left }) => left?.events === 0)
  await world.settle()
  // The event of the alert came, and none of the 200 others.
  expect((await stored()).map(({ fields }) => String(fields['message']))).toEqual([expect.stringContaining('Accepted password for root')])
  const alerts = await readAlerts()
  for (const [title, severity] of [['Root logs in over SSH', 'critical'], ['Failed password', 'low']] as const) {
    const same = alerts.filter((text) => text.includes(`"${title}"`) && text.includes(`"severity":"${severity}"`))
    expect(same, title).toHaveLength(1)
    expect(same[0]).toContain('branch-1')
    expect(same[0]).toMatch(/T1078/)
  }
})

test('a reload with rules that cannot be read ends with 1 and keeps the old ones; rules that cannot run are named', async () => {
  const rules = join(folder, 'rules.yml')
  writeFileSync(rules, rootLogin)
  const log = join(folder, 'auth.log')
  writeFileSync(log, '')
  const sources = { auth: { type: 'file', paths: [log], format: 'syslog' } }
  await world.enrol(sources, { detect: 'edge', rules: ['../rules.yml'] })
  world.collector.start()
  await world.waitFor(async () => await world.collector.command('status'), ({ code }) => code === 0)
  rmSync(rules)
  expect(await world.collector.command('reload')).toMatchObject({ code: 1, stderr: expect.stringContaining('rules cannot be read') })
  writeFileSync(rules, 'title: Broken\nlogsource: {product: linux}\ndetection: {condition: nothing}\n')
  expect(await world.collector.command('reload')).toMatchObject({ code: 1, stderr: expect.stringContaining('none can run') })
  await world.collector.write(world.url, sources, undefined, { detect: 'edge' })
  expect(await world.collector.command('reload')).toMatchObject({ code: 1, stderr: expect.stringContaining('edge needs rules') })
  appendFileSync(log, line(1, 'Accepted password for root from 203.0.113.9 port 1 ssh2'))
  await world.waitFor(readAlerts, (alerts) => alerts.some((text) => text.includes('Root logs in over SSH')))
  expect(world.collector.stderr).toContain('"rules":1')
})
