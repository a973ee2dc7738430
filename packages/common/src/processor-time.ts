/**
 * Milliseconds of processor time that the calling thread has used. Other processes and threads, which keep a thread waiting for a
 * core, do not count.
 */
export function readProcessorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
