import type { FileSystem } from '../disk/file-system.ts'
import { CorruptionError } from '../log/byte-reader.ts'
import type { Corruption } from '../log/corruption.ts'
import { listLogNumbers, readLogFile } from './event-log.ts'
import type { EventStoreVerification } from './event-store.ts'
import { decodeHeader, headerLength } from './block/block-header.ts'
import { BlockCache } from './segment/block-cache.ts'
import { StoredBlock } from './segment/stored-block.ts'
import type { TenantEvents } from './tenant-events.ts'

/** Reads and checks every block of every segment, and the log. */
export async function verifyStore(disk: FileSystem, tenants: readonly TenantEvents[]): Promise<EventStoreVerification> {
  const corruptions: Corruption[] = []
  let eventCount = 0
  let segmentCount = 0
  let blockCount = 0
  for (const { segments, open, waiting } of tenants) {
    for (const segment of segments.values()) {
      segmentCount++
      corruptions.push(...segment.corruptions)
      for (const block of segment.blocks) {
        blockCount++
        try {
          await verifyBlock(disk, segment.path, block)
          eventCount += block.bounds.rowCount
        } catch (error) {
          if (!(error instanceof CorruptionError)) throw error
          corruptions.push({ file: segment.path, offset: block.offset, problem: error.message })
        }
      }
    }
    for (const { block } of [...waiting, ...open.values()]) eventCount += block.bounds.rowCount
  }
  let logRecordCount = 0
  for (const number of await listLogNumbers(disk)) {
    const log = await readLogFile(disk, number)
    logRecordCount += log.records.length
    corruptions.push(...log.corruptions)
  }
  const [firstCorruption] = corruptions
  return { eventCount, segmentCount, blockCount, logRecordCount, corruptedCount: corruptions.length, firstCorruption }
}

/** Reads a block from disk, bypassing the cache. */
async function verifyBlock(disk: FileSystem, path: string, { offset, bounds }: StoredBlock): Promise<void> {
  const file = await disk.open(path, 'read')
  try {
    const header = decodeHeader(await file.read(offset, headerLength))
    if (JSON.stringify(header) !== JSON.stringify(bounds)) throw new CorruptionError('the header differs from the index')
    const read = (at: number, length: number) => file.read(at, length)
    const cache = new BlockCache(0)
    await new StoredBlock(bounds, { offset, read, cache, filterCache: cache }).verify()
  } finally {
    await file.close()
  }
}
