import type { Logsource } from './event.ts'

/** Whether every key that one logsource sets has the same value in another (sigma.md section 3). */
export function logsourceContains(outer: Logsource, inner: Logsource): boolean {
  return (['category', 'product', 'service'] as const).every((key) => outer[key] === undefined || outer[key] === inner[key])
}
