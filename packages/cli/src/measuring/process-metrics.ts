import { getThreadCpuMs } from '@tripline/common/processor-time'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const waitCell = new Int32Array(new SharedArrayBuffer(4))

/** With a hundredth of a millisecond Linux does not always let the thread wait; longer is no better. */
const clockWaitMs = 0.05

/**
 * `getThreadCpuMs` without steps: waits for a moment before it looks. Of work that takes 13.5 ms, 200 looks differ by 0.1 ms
 * instead of 1.9. A look takes some 80 µs, 20 of them on the processor, which is too much for single events.
 */
export function getExactThreadCpuMs(): number {
  Atomics.wait(waitCell, 0, 0, clockWaitMs)
  return getThreadCpuMs()
}

/**
 * Makes a function that collects garbage and answers the bytes that are left: objects and the buffers beside
 * them. The collector is asked for when the function is first called, so that commands which never measure
 * run as they always do.
 */
export function createHeapMeter(): () => number {
  let collect: (() => void) | undefined
  return () => {
    collect ??= getGarbageCollector()
    // What the first run finds unused may hold on to more, such as the memory of buffers.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
}

function getGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
