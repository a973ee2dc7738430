/** Returns the processor time of this thread in milliseconds, which other processes do not affect. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
