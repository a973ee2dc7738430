import type { Logsource } from '@tripline/engine'
import { listObservables } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'

/** Characters of the longest address: IPv6 with a zone. */
const addressLengthMax = 64

/** The address that an event says it came from; empty where it says none. */
export function getSourceIp(event: NormalizedEvent): string {
  return listObservables(event, 'sourceAddress').find((text) => text.length <= addressLengthMax) ?? ''
}

/** The name of a rule's log source: `windows-sysmon`, `linux-process_creation`. */
export function getSourceName({ product, service, category }: Logsource): string {
  return [product, service ?? category].filter((part) => part !== undefined).join('-')
}
