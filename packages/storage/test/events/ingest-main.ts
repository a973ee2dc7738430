/**
 * Appends events to the store in a folder until it is killed, and prints the number of the last event of each
 * acknowledged batch: `node ingest-main.ts <folder> <first number>`.
 */
import { writeSync } from 'node:fs'
import { nodeFileSystem } from '../../src/disk/file-system.ts'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'

const [folder = '', first = '0'] = process.argv.slice(2)
// Small sizes, so that blocks are written and log files removed while it runs.
const sizes = { blockRowsMax: 200, logFileBytesMax: 20_000, logFilesMax: 2, cacheBytesMax: 1_000_000, filterBytesMax: 100_000 }
const store = await openSegmentEventStore({ disk: nodeFileSystem(folder), elapsedMs: () => performance.now(), sizes })
const day = 86_400_000
const batchSize = 25
let next = Number(first)

async function addBatches(): Promise<never> {
  for (;;) {
    const from = next
    next += batchSize
    const batch = Array.from({ length: batchSize }, (_, i) => ({
      occurredAt: ((from + i) % 3) * day,
      bytes: Buffer.from(JSON.stringify({ number: from + i, text: `event ${from + i} of many` })),
    }))
    await store.append('t', batch)
    // Unbuffered: output still in a buffer at the kill would count as not acknowledged.
    writeSync(1, `${from}\n`)
  }
}

await Promise.all([addBatches(), addBatches(), addBatches()])
