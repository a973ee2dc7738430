import { getErrorCode } from '@tripline/common/error-code'
import type { FileSystem } from '../disk/file-system.ts'
import { HeldLog } from '../log/held-log.ts'
import type { FrozenFile } from '../log/held-log.ts'
import { getBlockLength } from './block/block-header.ts'
import { listDays } from './day-partition.ts'
import { logFolder } from './event-log.ts'
import { damageFolder } from './damage-log.ts'
import { readIndex } from './segment/segment-index.ts'
import { getTenantFolder, parseTenantFolder, tenantsFolder } from './tenant-folder.ts'

/** A file of a segment, and how much of it belongs to the moment. It is opened when it is read. */
type FrozenSegmentFile = { readonly path: string; readonly size: number }

/** The files of an event store at one moment between the calls of `hold` and `freeze`. */
type FrozenStore = { readonly segments: readonly FrozenSegmentFile[]; readonly logs: readonly FrozenFile[] }

/**
 * Freezes the files of an event store that another process may be writing. Segments are frozen before the log: an event
 * leaves the log only once its segment has it, so it is in one of both, and no segment is ahead of the log.
 */
export class StoreFreeze {
  readonly #disk: FileSystem
  readonly #logs: readonly HeldLog[]

  constructor(disk: FileSystem) {
    this.#disk = disk
    this.#logs = [new HeldLog(disk, logFolder), new HeldLog(disk, damageFolder)]
  }

  /** Holds the log: events that leave it from now on are not lost. */
  async hold(): Promise<void> {
    for (const log of this.#logs) await log.hold()
  }

  async freeze(): Promise<FrozenStore> {
    const segments: FrozenSegmentFile[] = []
    for (const name of await this.#disk.list(tenantsFolder)) {
      const tenant = parseTenantFolder(name)
      if (tenant === undefined) continue
      const folder = getTenantFolder(tenant)
      for (const day of listDays(await this.#disk.list(folder))) segments.push(...await this.#freezeSegment(`${folder}/${day}`))
    }
    const logs: FrozenFile[] = []
    for (const log of this.#logs) logs.push(...await log.freeze())
    return { segments, logs }
  }

  async close(): Promise<void> {
    for (const log of this.#logs) await log.close()
  }

  /** The blocks that the index names; an entry is written after its block is durable. */
  async #freezeSegment(path: string): Promise<readonly FrozenSegmentFile[]> {
    try {
      const index = await this.#disk.open(`${path}.idx`, 'read')
      try {
        const size = await index.size()
        const end = (await readIndex(index)).reduce((end, { offset, header }) => Math.max(end, offset + getBlockLength(header)), 0)
        return [{ path: `${path}.idx`, size }, { path: `${path}.seg`, size: end }]
      } finally {
        await index.close()
      }
    } catch (error) {
      // Retention removed the day meanwhile, or its first block is being written, which the log still holds.
      if (getErrorCode(error) === 'ENOENT') return []
      throw error
    }
  }
}
