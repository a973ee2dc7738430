import type { Logsource } from '../src/event/event.ts'

/** Prints logsources as `product:category:service`, so that a row of a test fits on a line. */
export function printLogsources(logsources: readonly Logsource[]): string {
  const texts = logsources.map(({ product = '', category = '', service = '' }) => `${product}:${category}:${service}`)
  return texts.join(' ')
}
