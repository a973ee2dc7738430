import { decodeSyslog } from '../../syslog/decode-message.ts'
import { parseBsdTime } from '../../syslog/bsd-time.ts'
import { decodeLines } from './read-lines.ts'
import type { TextLine } from './read-lines.ts'

/** Decodes lines of syslog, CEF and LEEF: with a priority as they are sent, or without one as daemons store them. */
export const decodeSyslogLines = decodeLines((readAt) => (line) => readLine(line, readAt))

function readLine(line: string, readAt: number): TextLine {
  if (line.trim() === '') return undefined
  const decoded = decodeSyslog(Buffer.from(line), { receivedAt: readAt, isStored: true })
  return 'refusal' in decoded ? { problem: decoded.refusal.reason } : { event: decoded.event }
}

/** An ISO 8601 time, a host and the name of a program, as rsyslog and systemd write them. */
const isoLine = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{0,16} [\w.:-]{1,255} [\w./()-]{1,64}(?:\[\d{1,10}\])?: /

/** Whether a line begins as syslog, CEF or LEEF does. */
export function isSyslogLine(line: string): boolean {
  return /^<\d{1,3}>|^(?:CEF|LEEF): ?\d/.test(line) || parseBsdTime(line, 0) !== undefined || isoLine.test(line)
}
