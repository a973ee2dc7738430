import { getErrorMessage } from '@tripline/common/error-message'
import { RefusedError } from './demo-client.ts'

const switchedOff = "the connector 'Sample events' is switched off: sample events are left out until it is on again"

/**
 * Makes what prints why a sample event was not taken, once until another reason comes: two a second meet the same. A connector that
 * is switched off refuses its token.
 */
export function createRefusalPrinter(print: (line: string) => void): (error: unknown) => void {
  let printed: unknown
  return (error) => {
    const text = getErrorMessage(error)
    const reason = error instanceof RefusedError ? error.status : text
    if (reason === printed) return
    printed = reason
    print(`tripline: ${reason === 401 ? switchedOff : text}\n`)
  }
}
