import { parseBsdTime } from './bsd-time.ts'
import { parseStructuredData } from './structured-data.ts'
import type { StructuredData } from './structured-data.ts'

/** The header of a syslog message, as far as it has one, and what follows it. */
export type SyslogMessage = {
  /** Facility times eight plus severity; undefined for a line without one. */
  readonly priority?: number | undefined
  /** `1` for RFC 5424; undefined for RFC 3164 and what resembles it. */
  readonly version?: string | undefined
  /** ISO 8601. */
  readonly timestamp?: string | undefined
  readonly hostname?: string | undefined
  readonly appname?: string | undefined
  readonly procid?: string | undefined
  readonly msgid?: string | undefined
  readonly structuredData?: StructuredData | undefined
  readonly message: string
}

/** The largest priority: facility 23, severity 7. */
const priorityMax = 191

/** Lengths that RFC 5424 allows, with some room, so that no pattern runs over a whole message. */
const isoTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?) /i
const hostName = /^([^\s:[\]]{1,255}) /
const tag = /^([^\s:[\]]{1,64})(?:\[([^\s\]]{1,64})\])?:(?: |$)/
const rfc5424 = /^1 (-|\S{10,40}) (\S{1,255}) (\S{1,128}) (\S{1,128}) (\S{1,64}) /

/**
 * Parses a syslog message: RFC 5424, RFC 3164, the same with an ISO 8601 time, and what devices make of them, such as a message
 * without a host, or without anything but a priority. It reads any text: what has no header is the message.
 */
export function parseSyslog(
  text: string, { receivedAt, isStored = false }: { readonly receivedAt: number; readonly isStored?: boolean },
): SyslogMessage {
  const [start = '', digits = ''] = /^<(\d{1,3})>/.exec(text) ?? []
  const priority = digits === '' ? NaN : Number(digits)
  if (!(priority <= priorityMax)) {
    const stored = isStored ? parseRfc3164(text, receivedAt) : undefined
    return stored?.timestamp === undefined ? { message: text } : stored
  }
  const rest = text.slice(start.length)
  return { priority, ...(parseRfc5424(rest) ?? parseRfc3164(rest, receivedAt)) }
}

function parseRfc5424(text: string): SyslogMessage | undefined {
  const [header, timestamp = '', hostname = '', appname = '', procid = '', msgid = ''] = rfc5424.exec(text) ?? []
  if (header === undefined) return undefined
  const data = parseStructuredData(text, header.length)
  if (data === undefined) return undefined
  const message = text.slice(data.end)
  return {
    version: '1', timestamp: toIso(optional(timestamp)), hostname: optional(hostname), appname: optional(appname), procid: optional(procid),
    msgid: optional(msgid), ...(data.elements && { structuredData: data.elements }),
    message: (message.startsWith(' ') ? message.slice(1) : message).replace(/^\uFEFF/, ''),
  }
}

function parseRfc3164(text: string, receivedAt: number): SyslogMessage {
  const [isoHeader = '', iso] = isoTime.exec(text) ?? []
  const bsd = iso === undefined ? parseBsdTime(text, receivedAt) : undefined
  const timestamp = toIso(iso) ?? bsd?.timestamp
  let rest = text.slice(isoHeader.length + (bsd?.length ?? 0))
  // Without a time there is no host either: devices that leave one out leave out both.
  const [host, hostname] = timestamp === undefined || tag.test(rest) ? [] : hostName.exec(rest) ?? []
  if (host !== undefined) rest = rest.slice(host.length)
  const [label, appname, procid] = tag.exec(rest) ?? []
  return { timestamp, hostname, appname, procid, message: label === undefined || isPayload(rest) ? rest : rest.slice(label.length) }
}

/** Formats that begin like the name of a program. */
function isPayload(text: string): boolean {
  return /^(?:CEF|LEEF):/.test(text)
}

/** RFC 5424 writes `-` for what is not known. */
function optional(text: string): string | undefined {
  return text === '-' ? undefined : text
}

/** The time in UTC; undefined for one that does not exist. */
function toIso(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const at = Date.parse(`${text.replace(',', '.')}${hasZone ? '' : 'Z'}`)
  return Number.isNaN(at) ? undefined : printPrecise(text, at)
}

/** Keeps digits beyond milliseconds, which distinguish events of one millisecond. */
function printPrecise(text: string, at: number): string {
  const printed = new Date(at).toISOString()
  const finer = /[.,]\d{3}(\d{1,6})/.exec(text)?.[1] ?? ''
  return `${printed.slice(0, -1)}${finer}Z`
}
