import { readdir, statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { readDescriptorLimit } from './descriptor-limit.ts'
import type { HostStats, ReadHostStats } from '../metrics/server/host-stats.ts'

/** Creates a reader of the process and of the disk that holds a folder. File descriptors are known on Linux alone. */
export function createHostStatsReader(folder: string): ReadHostStats {
  const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string }
  const startedAtSeconds = Math.round(Date.now() / 1_000 - process.uptime())
  return async () => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    return {
      version, nodeVersion: process.version, startedAtSeconds,
      cpuSeconds: (user + system) / 1_000_000, residentBytes: rss, heapBytes: heapUsed,
      openDescriptors: await readIfKnown(async () => (await readdir('/proc/self/fd')).length),
      descriptorsMax: await readDescriptorLimit(),
      disk: await readDiskSpace(folder),
    }
  }
}

/** Reads the free and the whole space of the disk that holds a folder; undefined where the system does not report it. */
export async function readDiskSpace(folder: string): Promise<HostStats['disk']> {
  return await readIfKnown(async () => {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
  })
}

/** A value that not every system offers is absent from the metrics; alert rules tell of absent ones. */
async function readIfKnown<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
