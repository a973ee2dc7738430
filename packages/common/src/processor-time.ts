/**
 * Milliseconds of processor time that the calling thread has used. Other processes and threads, which keep a thread waiting for a
 * core, do not count. It may move in steps: Linux brings it up to date at its timer, every 4 ms, and when the thread waits.
 */
export function getThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
