import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { monitorDiskSpace } from './disk-space-monitor.ts'
import type { Readiness } from '../http/health.ts'

const gib = 1_073_741_824
const folder = mkdtempSync(join(tmpdir(), 'tripline-space-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Row = readonly [logged: string, hasSpace: boolean, readiness: string, level: string | undefined]

/** Goes through free spaces in percent, and lists what is logged, whether events are accepted, and the level after each. */
async function follow(percents: readonly (number | undefined)[], sizeBytes = 100 * gib): Promise<readonly Row[]> {
  const readiness: Readiness = { state: 'ready' }
  let percent: number | undefined
  let logged: string[] = []
  let level: string | undefined
  const say = (level: string) => (message: string) => void logged.push(`${level}: ${message.replace(/;.*/, '')}`)
  const monitor = monitorDiskSpace({
    readiness, disk: nodeFileSystem(folder), onChecked: (space) => (level = space?.level), log: { info: say('info'), warn: say('warn'), error: say('error') },
    readSpace: async () => (percent === undefined ? undefined : { freeBytes: (sizeBytes * percent) / 100, sizeBytes }),
  })
  const rows: Row[] = []
  for (percent of percents) {
    logged = []
    await monitor.check()
    rows.push([logged.join('; '), monitor.hasSpace(), readiness.state, level])
  }
  return rows
}

test('each watermark is reported once, and the last refuses events until there is space', async () => {
  expect(await follow([50, 14, 13, 9, 4, 3, 6, 30])).toEqual([
    ['', true, 'ready', 'enough'],
    ['warn: disk space falls short', true, 'ready', 'low'],
    ['', true, 'ready', 'low'],
    ['error: disk space is nearly used up', true, 'ready', 'high'],
    ['error: disk space is used up but for a reserve', false, 'full', 'flood'],
    ['', false, 'full', 'flood'],
    ['error: disk space is nearly used up; info: disk space is available again', true, 'ready', 'high'],
    ['info: disk space is above the first watermark again', true, 'ready', 'enough'],
  ])
})

test('a large disk reaches the watermarks at bytes', async () => {
  const size = 10_000 * gib
  expect((await follow([0.7, 0.5, 0.3, 0.1], size)).map(([line, hasSpace]) => [line, hasSpace])).toEqual([
    ['', true], ['warn: disk space falls short', true], ['error: disk space is nearly used up', true],
    ['error: disk space is used up but for a reserve', false],
  ])
})

test('a system that does not report its disk refuses nothing', async () => {
  expect(await follow([undefined])).toEqual([['', true, 'ready', undefined]])
})
