import { readEvtx } from '../evtx/read-evtx.ts'
import { LineCollector } from './event-decoder.ts'
import type { EventDecoder } from './event-decoder.ts'

/** Decodes a Windows event log. */
export const decodeEvtx: EventDecoder = async function* (chunks, report) {
  const lines = new LineCollector(report)
  for await (const record of readEvtx(chunks)) {
    if ('json' in record) lines.addJson(record.json)
    else lines.addProblem(record.problem)
    if (lines.isFull) yield lines.take()
  }
  yield lines.take()
}
