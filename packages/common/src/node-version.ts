/** Whether a version of Node is this one or a newer one: `26.10.0` is at least `24.12`. */
export function isAtLeastVersion(version: string, needed: string): boolean {
  const have = version.split('.').map(Number)
  const parts = needed.split('.').map(Number)
  const differs = parts.findIndex((part, i) => part !== have[i])
  return differs === -1 || (have[differs] ?? 0) > (parts[differs] ?? 0)
}
