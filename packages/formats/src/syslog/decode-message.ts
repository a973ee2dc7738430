import { measureJson, skipBlanks } from '@tripline/common/json'
import type { EventObject } from '@tripline/engine'
import { decodeEvent, encodeEvent, refuse } from '../json/decode-event.ts'
import type { DecodedEvent } from '../json/decode-event.ts'
import { auditRecord, readAuditRecord } from '../audit/read-audit-record.ts'
import { appendFields } from '../json/scan-members.ts'
import { parseAccessLog } from './access-log.ts'
import { parseCef } from './cef.ts'
import { parseKeyValues } from './key-values.ts'
import { parseLeef } from './leef.ts'
import { parseSyslog } from './parse-header.ts'
import type { SyslogMessage } from './parse-header.ts'

/** What a message must be; `auto` takes any. */
export const syslogFormats = ['auto', 'rfc5424', 'rfc3164', 'cef', 'leef', 'json'] as const
export type SyslogFormat = (typeof syslogFormats)[number]

type SyslogOptions = {
  /** Completes times without a year. */
  readonly receivedAt: number
  readonly format?: SyslogFormat
  /** The address of the sender, where it is known. */
  readonly address?: string | undefined
  /** Whether the message is a line of a log file, which has a header without a priority. */
  readonly isStored?: boolean
}

const facilities = [
  'kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp', 'ntp', 'security', 'console',
  'solaris-cron', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7',
]
const severities = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Informational', 'Debug']

/**
 * Decodes a syslog message to an event with the names of the Elastic Common Schema: time, host, program and `log.syslog` of the
 * header, and `message`. A payload in CEF or LEEF is added as `cef` or `leef`, a line of an access log or of
 * `name=value` pairs as its fields. A payload of JSON
 * is the event itself, byte for byte, with what the header tells added.
 */
export function decodeSyslog(bytes: Buffer, { receivedAt, format = 'auto', address, isStored = false }: SyslogOptions): DecodedEvent {
  // Invalid UTF-8 becomes U+FFFD. C libraries send the zero byte that ends a text.
  const parsed = parseSyslog(bytes.toString('utf8').replace(/[\0\r\n]+$/, ''), { receivedAt, isStored })
  if (parsed.message === '' && parsed.structuredData === undefined) return refuse('NO_EVENT', 'the message is empty')
  const header = printHeader(parsed, address)
  const json = findJson(parsed.message)
  const cef = json === undefined ? parseCef(parsed.message) : undefined
  const leef = json === undefined && cef === undefined ? parseLeef(parsed.message) : undefined
  const kind: SyslogFormat = json ? 'json' : cef ? 'cef' : leef ? 'leef' : parsed.version === '1' ? 'rfc5424' : 'rfc3164'
  const isHeader = format === 'rfc5424' || format === 'rfc3164'
  const isMeant = format === 'auto' || format === kind ||
    (isHeader && parsed.priority !== undefined && (format === 'rfc5424') === (parsed.version === '1'))
  if (!isMeant) return refuse('UNSUPPORTED_FORMAT', `the message is not in the format '${format}' that the source must have`)
  if (json !== undefined) return decodeJsonPayload(json, header)
  if (cef !== undefined) return encodeEvent({ ...header, message: parsed.message, cef })
  if (leef !== undefined) return encodeEvent({ ...header, message: parsed.message, leef })
  const fields = parseAccessLog(parsed.message) ?? findAuditRecord(parsed.message) ?? parseKeyValues(parsed.message)
  // The fields of a line are more precise than its header.
  return encodeEvent({ ...header, ...fields, message: parsed.message })
}

/** The object that a message consists of, perhaps behind the cookie of the Common Event Expression. */
function findJson(message: string): Buffer | undefined {
  const text = message.replace(/^\s*(?:@cee:)?\s*/, '')
  if (!text.startsWith('{')) return undefined
  const bytes = Buffer.from(text)
  const extent = measureJson(bytes, 0, bytes.length)
  const isWhole = extent !== undefined && skipBlanks(bytes, extent.end, bytes.length) === bytes.length
  return isWhole ? bytes.subarray(0, extent.end) : undefined
}

function findAuditRecord(message: string): EventObject | undefined {
  const read = auditRecord.test(message) ? readAuditRecord(message) : undefined
  return read !== undefined && 'event' in read ? read.event : undefined
}

/** Adds of the header what the payload does not say itself. */
function decodeJsonPayload(payload: Buffer, header: EventObject): DecodedEvent {
  const span = { start: 0, end: payload.length, extent: measureJson(payload, 0, payload.length) }
  const decoded = decodeEvent(payload, span)
  if ('refusal' in decoded) return decoded
  const added = Object.fromEntries(Object.entries(header).flatMap(([name, value]) => {
    if (name === 'log' && Object.hasOwn(decoded.event, 'log')) return [['syslog', (value as EventObject)['syslog']]]
    return Object.hasOwn(decoded.event, name) || (name === 'process' || name === 'host') ? [] : [[name, value]]
  }))
  const bytes = appendFields(payload, span, added)
  const merged = decodeEvent(bytes, { start: 0, end: bytes.length, extent: measureJson(bytes, 0, bytes.length) })
  return 'refusal' in merged ? merged : { ...merged, bytes }
}

function printHeader(message: SyslogMessage, address: string | undefined): EventObject {
  const { priority, version, timestamp, hostname, appname, procid, msgid, structuredData } = message
  const facility = priority === undefined ? undefined : priority >> 3
  const severity = priority === undefined ? undefined : priority & 7
  const pid = procid !== undefined && /^\d{1,10}$/.test(procid) ? Number(procid) : undefined
  const syslog = {
    ...(facility !== undefined && severity !== undefined && {
      priority, facility: { code: facility, name: facilities[facility] ?? String(facility) },
      severity: { code: severity, name: severities[severity] },
    }),
    ...(version !== undefined && { version }), ...(hostname !== undefined && { hostname }), ...(appname !== undefined && { appname }),
    ...(procid !== undefined && { procid }), ...(msgid !== undefined && { msgid }),
    ...(structuredData !== undefined && { structured_data: structuredData }),
  }
  const host = { ...(hostname !== undefined && { hostname }), ...(address !== undefined && { ip: address }) }
  const process = { ...(appname !== undefined && { name: appname }), ...(pid !== undefined && { pid }) }
  return {
    ...(timestamp !== undefined && { '@timestamp': timestamp }),
    ...(Object.keys(host).length > 0 && { host }), ...(Object.keys(process).length > 0 && { process }),
    ...(Object.keys(syslog).length > 0 && { log: { syslog } }),
  }
}
