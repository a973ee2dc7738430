import { parseJson } from '@tripline/common/parse-json'
import type { EventObject } from '@tripline/engine'
import { AuditJoiner, isFollowed } from '@tripline/formats/audit/audit-joiner'
import { auditRecord } from '@tripline/formats/audit/read-audit-record'
import type { DecodedLine } from './decode-line.ts'

/** Bytes of a line in which the head of a record ends, unless the name of the node is very long. */
const headBytesMax = 512

type Decoded = Extract<DecodedLine, { readonly bytes: Uint8Array }>

/** The events of lines that were read together, with the records of an audit event as one, in order. */
export function joinLines(decoded: readonly DecodedLine[]): readonly Uint8Array[] {
  const events = decoded.filter((line): line is Decoded => 'bytes' in line)
  if (events.filter(({ audit }) => audit !== undefined).length < 2) return events.map(({ bytes }) => bytes)
  const read = ({ bytes }: Decoded): EventObject => parseJson(Buffer.from(bytes).toString('utf8')) as EventObject
  const joiner = new AuditJoiner<Decoded>({ heldMax: events.length, read })
  for (const event of events) joiner.add(event, event.audit)
  return joiner.take(() => true).flatMap(({ entry, joined }) => (
    joined === 'before' ? [] : [joined === 'none' ? entry.bytes : joined.bytes]
  ))
}

/** How many of the last lines of a file are records of an audit event whose last record is not there. */
export function countUnfinishedRecords(lines: readonly Buffer[]): number {
  let [count, last] = [0, undefined as string | undefined]
  for (const line of lines.toReversed()) {
    const [, , type = '', seconds, fraction, serial] = auditRecord.exec(line.toString('latin1', 0, headBytesMax)) ?? []
    const event = seconds === undefined ? undefined : `${seconds}.${fraction}:${serial}`
    if (event === undefined || (last !== undefined && event !== last)) break
    if (!isFollowed(type)) return 0
    last = event
    count++
  }
  return count
}
