import type { Logsource } from './event.ts'

/** Whether every key of the outer logsource has the same value in the inner one. */
export function logsourceContains(outer: Logsource, inner: Logsource): boolean {
  return (['category', 'product', 'service'] as const).every((key) => outer[key] === undefined || outer[key] === inner[key])
}
