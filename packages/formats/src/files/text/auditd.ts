import { AuditJoiner, readAuditHead } from '../../audit/audit-joiner.ts'
import { readAuditRecord } from '../../audit/read-audit-record.ts'
import { limits } from '../../limits.ts'
import { LineCollector } from '../event-decoder.ts'
import type { EventDecoder } from '../event-decoder.ts'
import { splitTextLines, tooLong } from './read-lines.ts'

type ReadLine = ReturnType<typeof readAuditRecord>

/** Decodes records of Linux audit (`audit.log`); those of one audit event are one event, on the line of the first. */
export const decodeAuditd: EventDecoder = async function* (chunks, report) {
  const lines = new LineCollector(report)
  const joiner = new AuditJoiner<ReadLine>({ read: eventOf, heldMax: limits.audit.heldRecordsMax })
  const print = (isEnd: boolean): void => {
    for (const { entry, joined } of joiner.take(() => isEnd)) {
      if (joined === 'before' || entry === undefined) lines.addBlank()
      else if ('problem' in entry) lines.addProblem(entry.problem)
      else lines.addJson(JSON.stringify(joined === 'none' ? entry.event : joined.event))
    }
  }
  for await (const line of splitTextLines(chunks)) {
    const read = line === undefined ? tooLong : readAuditRecord(line)
    joiner.add(read, read !== undefined && 'event' in read ? readAuditHead(read.event) : undefined)
    print(false)
    if (lines.isFull) yield lines.take()
  }
  print(true)
  yield lines.take()
}

function eventOf(read: ReadLine): { readonly [name: string]: unknown } {
  return read !== undefined && 'event' in read ? read.event : {}
}
