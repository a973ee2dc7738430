import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Processor time of this thread in milliseconds, without the time when other programs ran. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Makes a function that collects garbage and answers the bytes that are left: objects and the buffers beside
 * them. The collector is asked for when the function is first called, so that commands which never measure
 * run as they always do.
 */
export function collectedHeapBytes(): () => number {
  let collect: (() => void) | undefined
  return () => {
    collect ??= garbageCollector()
    // What the first run finds unused may hold on to more, such as the memory of buffers.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
