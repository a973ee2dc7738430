import type { Log } from '@tripline/common/log'
import { hasFreeSpace } from '@tripline/storage/disk/file-system'
import type { FileSystem } from '@tripline/storage/disk/file-system'
import type { Readiness } from '../http/health.ts'
import { limits } from '../limits.ts'
import type { DiskSpace, SpaceLevel } from '../metrics/server/server-monitor.ts'

/** Tracks whether the disk has space for the server to accept work. */
export type DiskSpaceMonitor = {
  /** Called when a write fails for lack of space. */
  readonly onFull: () => void
  /** Whether events may be accepted: the last watermark is not reached. */
  readonly hasSpace: () => boolean
  /** Called about every second: checks whether space is available again. */
  readonly check: () => Promise<void>
}

type DiskSpaceOptions = {
  readonly readiness: Readiness
  readonly disk: FileSystem
  /** Bytes free and in all; undefined where the system does not report them. */
  readonly readSpace: () => Promise<{ readonly freeBytes: number; readonly sizeBytes: number } | undefined>
  /** Called with what each check finds; undefined where the system does not report it. */
  readonly onChecked: (space: DiskSpace | undefined) => void
  readonly log: Log
}

/**
 * Marks the server as not ready while its disk is full, and as ready once space is available again. Watermarks as those of
 * Elasticsearch come before: a warning, an error, and at the last one no more events, so that state, audit trail and what was
 * accepted still find space.
 */
export function monitorDiskSpace({ readiness, disk, readSpace, onChecked, log }: DiskSpaceOptions): DiskSpaceMonitor {
  let level: SpaceLevel = 'enough'
  const report = (to: SpaceLevel, { freeBytes, sizeBytes }: { readonly freeBytes: number; readonly sizeBytes: number }): void => {
    const space = { free_bytes: freeBytes, free_percent: Math.round((freeBytes / sizeBytes) * 1_000) / 10 }
    if (to === 'enough') log.info('disk space is above the first watermark again', space)
    else if (to === 'low') log.warn('disk space falls short; add space, or shorten retention', space)
    else if (to === 'high') log.error('disk space is nearly used up; add space, or shorten retention', space)
    else log.error('disk space is used up but for a reserve; events are refused until space is available', space)
  }
  const become = (from: Readiness['state'], to: Readiness['state'], tell: () => void): void => {
    // The server may have been closed or failed meanwhile.
    if (readiness.state !== from) return
    readiness.state = to
    tell()
  }
  return {
    onFull: () => become('ready', 'full', () => {
      log.error('the disk is full or not writable; events are refused until space is available')
    }),
    hasSpace: () => level !== 'flood',
    async check() {
      const space = await readSpace()
      const next = space === undefined ? 'enough' : getLevel(space)
      if (space !== undefined && next !== level) report(next, space)
      level = next
      onChecked(space === undefined ? undefined : { ...space, level })
      if (level === 'flood') return become('ready', 'full', () => {})
      if (readiness.state !== 'full' || !(await hasFreeSpace(disk, limits.pipeline.roomBytes))) return
      become('full', 'ready', () => log.info('disk space is available again'))
    },
  }
}

/** Large disks need less than a percentage: a twentieth of 20 TB is more than a day of events. */
function getLevel({ freeBytes, sizeBytes }: { readonly freeBytes: number; readonly sizeBytes: number }): SpaceLevel {
  const { lowShare, lowBytesMax, highShare, highBytesMax, floodShare, floodBytesMax } = limits.disk
  if (freeBytes < Math.min(sizeBytes * floodShare, floodBytesMax)) return 'flood'
  if (freeBytes < Math.min(sizeBytes * highShare, highBytesMax)) return 'high'
  return freeBytes < Math.min(sizeBytes * lowShare, lowBytesMax) ? 'low' : 'enough'
}
