import type { EventRef } from '@tripline/formats/event/event-id'
import { CorruptionError } from '../../log/byte-reader.ts'
import type { Block, BlockReader } from '../block/block.ts'
import { LostEventError } from '../event-store.ts'
import type { StoredEvent } from '../event-store.ts'
import { readEvents } from './match-block.ts'

/** Finds the event with a sequence. */
export function findBySequence(blocks: readonly Block[], sequence: number): Promise<StoredEvent | undefined> {
  const within = blocks.filter(({ bounds }) => bounds.firstSequence <= sequence && sequence <= bounds.lastSequence)
  return findInBlocks(within, async (opened) => Array.from(await opened.sequences()).indexOf(sequence))
}

/** Finds the event of a reference, in the few blocks that hold its time. */
export function findByRef(blocks: readonly Block[], { occurredAt, by, number }: EventRef): Promise<StoredEvent | undefined> {
  const within = blocks.filter(({ bounds }) => bounds.oldestAt <= occurredAt && occurredAt <= bounds.newestAt)
  return findInBlocks(within, async (opened) => {
    const [times, sequences, arrivalAt] = await Promise.all([opened.times(), opened.sequences(), opened.arrivals()])
    return Array.from(times).findIndex((time, row) => {
      if (time !== occurredAt) return false
      const arrival = arrivalAt(row)
      return by === 'offset' ? arrival?.offset === number : arrival === undefined && sequences[row] === number
    })
  })
}

/**
 * Reads the event in the first block that has its row.
 *
 * @throws LostEventError when no block has it, and one that may have held it cannot be read.
 */
async function findInBlocks(
  blocks: readonly Block[], findRow: (opened: BlockReader) => Promise<number>,
): Promise<StoredEvent | undefined> {
  let hasLost = false
  for (const block of blocks) {
    try {
      const opened = await block.open()
      const row = await findRow(opened)
      if (row === -1) continue
      const [times, sequences] = await Promise.all([opened.times(), opened.sequences()])
      const [event] = await readEvents([{ occurredAt: times[row]!, sequence: sequences[row]!, block, row }])
      return event
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error
      hasLost = true
    }
  }
  if (hasLost) throw new LostEventError()
  return undefined
}
