import { decodeLine, lineFormats } from '@tripline/sources/lines/decode-line'
import { countUnfinishedRecords, joinLines } from '@tripline/sources/lines/join-lines'
import type { FileSourceConfig } from '../config/source-config.ts'
import { limits } from '../limits.ts'
import { parseFilePositions } from './file/file-position.ts'
import { FileTail } from './file/tail-files.ts'
import { WholeFiles } from './file/whole-files.ts'
import type { RunSource } from './source.ts'

/** Follows files line by line; Windows event logs and other formats with a header are read whole when they grow. */
export function createFileSource(config: FileSourceConfig): RunSource {
  return async (context, signal) => {
    const { append, waitForRoom, countDropped, reportHealthy, now, sleep, hostname } = context
    const positions = parseFilePositions(context.position)
    const { format, log_source: logsource } = config
    const reader = format === 'evtx' || format === 'csv' || format === 'w3c' || format === 'json_document'
      ? new WholeFiles({ paths: config.paths, format, positions, logsource, signal, now })
      : new FileTail({
        paths: config.paths, startAt: config.start_at, positions, elapsedMs: context.elapsedMs,
        ...((format === 'auto' || format === 'auditd') && { countUnfinished: countUnfinishedRecords }),
      })
    while (!signal.aborted) {
      for await (const part of reader.read()) {
        if (signal.aborted) return
        await waitForRoom(signal)
        const { path } = part
        const decode = (line: Buffer): ReturnType<typeof decodeLine> =>
          decodeLine(line, { format: lineFormats.find((name) => name === format) ?? 'auto', logsource, receivedAt: now(), path, hostname })
        const decoded = 'events' in part ? part.events.map((bytes) => ({ bytes })) : part.lines.map(decode)
        const lines = joinLines(decoded)
        await append(lines, { files: part.positions })
        const refused = decoded.find((one) => 'problem' in one)
        const droppedCount = decoded.filter((one) => 'problem' in one).length + part.tooLongCount
        if (droppedCount > 0) {
          const tooLong = `a line is longer than ${limits.file.lineBytesMax} bytes`
          countDropped(droppedCount, `${path}: ${refused !== undefined && 'problem' in refused ? refused.problem : tooLong}`)
        }
      }
      reportHealthy()
      await sleep(limits.file.pollMs, signal)
    }
  }
}
