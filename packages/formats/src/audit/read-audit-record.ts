import type { EventObject } from '@tripline/engine'
import { splitPairs, toEvent } from '../split-pairs.ts'

/** What a record of Linux audit begins with: its type, and in `audit(...)` its time and serial number. */
export const auditRecord = /^(?:node=(\S+) )?type=([A-Z][A-Z0-9_]*|UNKNOWN\[\d+\]) msg=audit\((\d+)\.(\d+):(\d+)\):\s*/

/** Fields that the kernel prints in hexadecimal digits where they hold blanks, quotes or other bytes. */
const encodedFields = /^(?:a\d+(?:\[\d+\])?|proctitle|comm|exe|cwd|name|path|cmd|data|acct|key|dir|old_?name|new_?name|vm|watch|file)$/

/** Reads a line of `audit.log`: an event with the type and serial number of the record, or why it is none; undefined for a blank line. */
export function readAuditRecord(line: string): { readonly event: EventObject } | { readonly problem: string } | undefined {
  if (line.trim() === '') return undefined
  const head = auditRecord.exec(line)
  if (head === null) return { problem: 'the line is no audit record' }
  const [whole, node, type, seconds, fraction, serial] = head
  const at = new Date(Number(seconds) * 1_000)
  if (Number.isNaN(at.getTime())) return { problem: `the time ${seconds} is none` }
  // Enriched records repeat numbers as names behind a separator.
  const pairs = line.slice(whole.length).split('\u001d').flatMap((part) => splitPairs(part).pairs)
  const flat = pairs.flatMap(([key, value]) => {
    // Records of programs quote their own pairs in `msg`.
    const inner = key === 'msg' ? splitPairs(value).pairs : []
    return inner.length > 0 ? [[key, value] as const, ...inner] : [[key, value] as const]
  })
  const values = flat.map(([key, value]) => [key, encodedFields.test(key) && isBare(line, key, value) ? decodeHex(value) : value] as const)
  return {
    event: {
      '@timestamp': at.toISOString().replace(/\.\d+Z$/, `.${fraction}Z`),
      type,
      serial,
      ...(node !== undefined && { node }),
      ...toEvent(values),
    },
  }
}

/**
 * Adds the fields of the audit record that the `message` of an event is, as shippers send lines of `audit.log`; returns undefined
 * for other events. The time of the record wins over the one at which the line was read.
 */
export function addAuditFields(event: EventObject): EventObject | undefined {
  const { message } = event
  if (typeof message !== 'string' || Object.hasOwn(event, 'type') || !auditRecord.test(message)) return undefined
  const read = readAuditRecord(message)
  return read !== undefined && 'event' in read ? { ...event, ...read.event } : undefined
}

/** Whether a value stands without quotes, as encoded ones do. */
function isBare(line: string, key: string, value: string): boolean {
  return line.includes(`${key}=${value}`)
}

function decodeHex(value: string): string {
  if (value.length < 2 || value.length % 2 !== 0 || !/^[0-9A-F]+$/.test(value)) return value
  // Arguments of a command line end with NUL.
  return Buffer.from(value, 'hex').toString('utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
}
