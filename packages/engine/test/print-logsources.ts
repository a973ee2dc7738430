import type { Logsource } from '../src/event/event.ts'

/** Prints logsources as `product:category:service`, to fit a test row on one line. */
export function printLogsources(logsources: readonly Logsource[]): string {
  const texts = logsources.map(({ product = '', category = '', service = '' }) => `${product}:${category}:${service}`)
  return texts.join(' ')
}
