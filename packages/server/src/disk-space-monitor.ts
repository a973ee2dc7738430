import type { Log } from '@tripline/common/log'
import { hasFreeSpace } from '@tripline/storage/disk/file-system'
import type { FileSystem } from '@tripline/storage/disk/file-system'
import type { Readiness } from './http/health.ts'
import { limits } from './limits.ts'

/** Tracks whether the disk has space for the server to accept work. */
export type DiskSpaceMonitor = {
  /** Called when a write fails for lack of space. */
  readonly onFull: () => void
  /** Called about every second: checks whether space is available again. */
  readonly check: () => Promise<void>
}

/** Marks the server as not ready while its disk is full, and as ready once space is available again. */
export function monitorDiskSpace(readiness: Readiness, disk: FileSystem, log: Pick<Log, 'error' | 'info'>): DiskSpaceMonitor {
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
    async check() {
      if (readiness.state !== 'full' || !(await hasFreeSpace(disk, limits.pipeline.roomBytes))) return
      become('full', 'ready', () => log.info('disk space is available again'))
    },
  }
}
