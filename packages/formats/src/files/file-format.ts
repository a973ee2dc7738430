import { isEvtx } from '../evtx/read-evtx.ts'
import { decodeEvtx } from './decode-evtx.ts'
import type { EventDecoder } from './event-decoder.ts'
import { decodeJsonValues, isWrapper } from './json-values.ts'
import { auditRecord } from '../audit/read-audit-record.ts'
import { decodeAuditd } from './text/auditd.ts'
import { decodeCsv, findSeparator } from './text/csv.ts'
import { splitPairs } from '../split-pairs.ts'
import { decodeLogfmt } from './text/logfmt.ts'
import { decodeSyslogLines, isSyslogLine } from './text/syslog.ts'
import { decodeW3c } from './text/w3c.ts'

/** A format of files with events, and what its beginning looks like. */
type FileFormat = {
  readonly name: string
  readonly recognises: (head: FileHead) => boolean
  /** Undefined for NDJSON, which is read as it is. */
  readonly decode: EventDecoder | undefined
}

/** The beginning of a file: its bytes, and in it the first lines that are not blank. */
type FileHead = { readonly bytes: Buffer; readonly lines: readonly string[] }

/** The formats of files, by name, in the order in which they are tried; NDJSON is what is left. */
export const eventFormats = {
  evtx: { name: 'Windows event log', recognises: ({ bytes }) => isEvtx(bytes), decode: decodeEvtx },
  json: { name: 'JSON', recognises: isJson, decode: decodeJsonValues },
  auditd: { name: 'Linux audit', recognises: ({ lines: [first = ''] }) => auditRecord.test(first), decode: decodeAuditd },
  w3c: { name: 'W3C or Zeek', recognises: ({ lines: [first = ''] }) => isDirective(first), decode: decodeW3c },
  syslog: { name: 'syslog, CEF or LEEF', recognises: ({ lines: [first = ''] }) => isSyslogLine(first), decode: decodeSyslogLines },
  logfmt: { name: 'key=value', recognises: ({ lines: [first = ''] }) => isPairs(first), decode: decodeLogfmt },
  csv: { name: 'CSV', recognises: ({ lines: [first = '', second] }) => isTable(first, second), decode: decodeCsv },
  ndjson: { name: 'NDJSON', recognises: () => true, decode: undefined },
} as const satisfies { readonly [name: string]: FileFormat }
export type FileFormatName = keyof typeof eventFormats

/** The names of the formats of files. */
export const fileFormatNames = Object.keys(eventFormats) as readonly FileFormatName[]

/** Recognises the format of a file by its beginning. */
export function findFileFormat(bytes: Buffer): FileFormatName {
  const lines = bytes.toString('utf8').split(/\r?\n/, 40).filter((line) => line.trim() !== '').slice(0, 3)
  return fileFormatNames.find((name) => eventFormats[name].recognises({ bytes, lines })) ?? 'ndjson'
}

/** Whether the beginning is JSON that is not one event a line: an array, a page of events, or an object over several lines. */
function isJson({ bytes, lines: [first = '', second = ''] }: FileHead): boolean {
  const begin = first.trim()
  if (begin.startsWith('[')) {
    const next = begin.length > 1 ? begin.slice(1).trim() : second.trim()
    return next.startsWith('{') || next.startsWith(']')
  }
  if (!begin.startsWith('{')) return false
  // An object that goes on in the next line, as printed for people.
  if (/^\{$|[{[,]$/.test(begin) && (second === '' || /^\s*["\]}{]/.test(second)) && !endsAsObject(begin)) {
    return begin === '{' || /^\s+\S|^"/.test(second)
  }
  return isWrapper(bytes)
}

function endsAsObject(line: string): boolean {
  return line.endsWith('}')
}

function isDirective(line: string): boolean {
  return /^#(?:Software|Version|Fields|Date|Start-Date|Remark):|^#separator /i.test(line)
}

function isPairs(line: string): boolean {
  if (/^\s*[[{<]/.test(line)) return false
  const { pairs, words } = splitPairs(line)
  // A time and a word or two may stand before the pairs.
  return pairs.length >= 2 && words.length <= Math.max(2, pairs.length / 3)
}

function isTable(header: string, row: string | undefined): boolean {
  return !/^\s*[[{<]/.test(row ?? '') && findSeparator(header, row) !== undefined
}
