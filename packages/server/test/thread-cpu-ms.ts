/** Milliseconds of processor time of this thread: what a bound is of that other processes should not reach. */
export function getThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
