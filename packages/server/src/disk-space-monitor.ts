import type { Readiness } from './api/health.ts'
import { hasFreeSpace } from './file-system.ts'
import type { FileSystem } from './file-system.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'

/** Whether a server takes work, as far as the room on its disk says it. */
export type DiskSpaceMonitor = {
  /** To be called where something found no room. */
  readonly onFull: () => void
  /** To be called every second or so: looks whether there is room again. */
  readonly check: () => Promise<void>
}

/** Has a server whose disk is full say that it takes no work, until there is room again (trust.md section 2). */
export function monitorDiskSpace(readiness: Readiness, disk: FileSystem, log: Pick<Log, 'error' | 'info'>): DiskSpaceMonitor {
  const become = (from: Readiness['state'], to: Readiness['state'], tell: () => void): void => {
    // It may have been closed, or have failed.
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
