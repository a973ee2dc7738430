import { isJsonObject } from '@tripline/common/json'
import type { Logsource } from '@tripline/engine'

/** Parses a stored log source; undefined if it is invalid or empty. */
export function parseLogsource(stated: unknown): Logsource | undefined {
  if (!isJsonObject(stated)) return undefined
  const { category, product, service } = stated
  const logsource = {
    ...(typeof category === 'string' && { category }),
    ...(typeof product === 'string' && { product }),
    ...(typeof service === 'string' && { service }),
  }
  return Object.keys(logsource).length === 0 ? undefined : logsource
}
