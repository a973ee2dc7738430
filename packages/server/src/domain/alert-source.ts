import type { EventObject, Logsource } from '@tripline/engine'
import { getPath } from './get-path.ts'

/** Where events of different products keep the address that something came from; the first that holds a text counts. */
const addressFields = [
  'source.ip', 'src_ip', 'SourceIp', 'IpAddress', 'sourceIPAddress', 'SourceAddress', 'id.orig_h', 'c-ip', 'client.ip', 'src',
  'clientIP',
]

/** Characters of the longest address: IPv6 with a zone. */
const addressLengthMax = 64

/** The address that an event says it came from; empty where it says none. */
export function getSourceIp(event: EventObject): string {
  for (const field of addressFields) {
    const value = getPath(event, field)
    if (typeof value === 'string' && value !== '' && value !== '-' && value.length <= addressLengthMax) return value
  }
  return ''
}

/** What kind of events a rule is for, in a word: `windows-sysmon`, `linux-process_creation`. */
export function getSourceName({ product, service, category }: Logsource): string {
  return [product, service ?? category].filter((part) => part !== undefined).join('-')
}
