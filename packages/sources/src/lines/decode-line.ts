import { measureJson, skipBlanks } from '@tripline/common/json'
import { readAuditHead } from '@tripline/formats/audit/audit-joiner'
import type { AuditRecordHead } from '@tripline/formats/audit/audit-joiner'
import { auditRecord, readAuditRecord } from '@tripline/formats/audit/read-audit-record'
import { decodeEvent } from '@tripline/formats/json/decode-event'
import { appendFields } from '@tripline/formats/json/scan-members'
import { decodeSyslog } from '@tripline/formats/syslog/decode-message'

/** What a line is; `auto` recognises JSON and audit records, and reads all else as syslog or text. */
export const lineFormats = ['auto', 'json', 'syslog', 'auditd', 'text'] as const
export type LineFormat = (typeof lineFormats)[number]

/** The log source of events that do not say themselves what they are. */
export type SourceLogsource = {
  readonly product?: string | undefined
  readonly category?: string | undefined
  readonly service?: string | undefined
}

type LineOptions = {
  readonly format: LineFormat
  readonly logsource: SourceLogsource | undefined
  readonly receivedAt: number
  /** The file that the line is of, or the address of its sender. */
  readonly path?: string
  readonly address?: string
  /** The host of events that name none; undefined where it is not known. */
  readonly hostname: string | undefined
}

/** Syslog daemons write files without the priority: time, host, program and message. */
const fileHeader = /^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*) \S+ [^\s:[]+(?:\[\d+\])?:/
/** Has the header read; what it says is not kept. */
const anyPriority = Buffer.from('<13>')

/** An event, with its head where it is a record of Linux audit, or why there is none. */
export type DecodedLine = { readonly bytes: Uint8Array; readonly audit?: AuditRecordHead } | { readonly problem: string }

/**
 * Decodes a line or a message to an event as one line of JSON. Of `auto`, JSON and audit records are recognised, and all else is
 * syslog or text.
 */
export function decodeLine(line: Buffer, { format, logsource, receivedAt, path, address, hostname }: LineOptions): DecodedLine {
  const isJson = format === 'json' || (format === 'auto' && line[skipBlanks(line, 0, line.length)] === 0x7b)
  if (isJson) {
    const decoded = decodeJson(line, logsource, path)
    if (format === 'json' || 'bytes' in decoded) return decoded
  }
  const text = line.toString('utf8')
  const added = { ...(logsource && { _logsource: logsource }), ...(path !== undefined && { log: { file: { path } } }) }
  const own = hostname === undefined ? {} : { host: { hostname } }
  if (format === 'auditd' || (format === 'auto' && auditRecord.test(text))) {
    const read = readAuditRecord(text)
    if (read === undefined || 'problem' in read) return { problem: read?.problem ?? 'the line is empty' }
    return print({ ...read.event, ...own, ...added })
  }
  if (format === 'text') return print({ '@timestamp': new Date(receivedAt).toISOString(), message: text, ...own, ...added })
  const lacksPriority = path !== undefined && fileHeader.test(text)
  const decoded = decodeSyslog(lacksPriority ? Buffer.concat([anyPriority, line]) : line, { receivedAt, address })
  if ('refusal' in decoded) return { problem: decoded.refusal.reason }
  const { log } = decoded.event
  const place = path === undefined ? {} : { log: { ...(lacksPriority ? withoutPriority(log) : Object(log) as object), file: { path } } }
  return print({ ...own, ...decoded.event, ...place, ...(logsource && { _logsource: logsource }) })
}

/** What a header tells beside the priority: the program, by which the log source of the event is recognised. */
function withoutPriority(log: unknown): object {
  const { priority: _priority, facility: _facility, severity: _severity, ...syslog } =
    Object(Reflect.get(Object(log), 'syslog')) as { readonly [name: string]: unknown }
  return { syslog }
}

function print(event: object): DecodedLine {
  const bytes = Buffer.from(JSON.stringify(event))
  const decoded = decodeEvent(bytes, { start: 0, end: bytes.length, extent: measureJson(bytes, 0, bytes.length) })
  return 'refusal' in decoded ? { problem: decoded.refusal.reason } : withAudit(bytes, decoded.event)
}

/** An event that is JSON already keeps its bytes. */
function decodeJson(line: Buffer, logsource: SourceLogsource | undefined, path: string | undefined): DecodedLine {
  const start = skipBlanks(line, 0, line.length)
  const extent = measureJson(line, start, line.length)
  const end = extent?.end ?? line.length
  const decoded = decodeEvent(line, { start, end, extent })
  if ('refusal' in decoded) return { problem: decoded.refusal.reason }
  if (skipBlanks(line, end, line.length) !== line.length) return { problem: 'something follows the JSON object' }
  const has = (name: string): boolean => Object.hasOwn(decoded.event, name)
  const added = {
    ...(logsource && !has('_logsource') && { _logsource: logsource }),
    ...(path !== undefined && !has('log') && !has('log.file.path') && { log: { file: { path } } }),
  }
  const bytes = appendFields(line, { start, end }, added)
  return withAudit(bytes.includes(0x0d) ? bytes.map((byte) => (byte === 0x0d ? 0x20 : byte)) : bytes, decoded.event)
}

function withAudit(bytes: Uint8Array, event: Parameters<typeof readAuditHead>[0]): DecodedLine {
  const audit = readAuditHead(event)
  return audit === undefined ? { bytes } : { bytes, audit }
}
