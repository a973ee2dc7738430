import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { memoryEvents } from './memory-events.ts'
import { describeEventStore } from './conformance.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const elapsedMs = () => performance.now()
const smallSizes = { blockRowsMax: 4, logFileBytesMax: 2_000, logFilesMax: 2, cacheBytesMax: 20_000, filterBytesMax: 2_000 }

describeEventStore('events in memory', async () => ({ store: memoryEvents(), settle: async () => {} }))

describeEventStore('embedded events in open blocks', async () => {
  return { store: await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs }), settle: async () => {} }
})

describeEventStore('embedded events in segments', async () => {
  const store = await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs })
  return { store, settle: () => store.flush() }
})

describeEventStore('embedded events in many small blocks', async () => {
  const store = await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs, sizes: smallSizes })
  return { store, settle: async () => {} }
})
