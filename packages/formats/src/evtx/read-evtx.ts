import { EvtxError } from './evtx-error.ts'
import { RecordPrinter } from './print-record.ts'

/** A record of a log: its event as one line of JSON, or why it cannot be read. */
type EvtxRecord = { readonly json: string } | { readonly problem: string }

const chunkBytes = 65_536
const chunkHeaderBytes = 512
const recordHeaderBytes = 24
const recordMagic = 0x00002a2a
const fileMagic = 'ElfFile\0'
const chunkMagic = 'ElfChnk\0'

/** Whether bytes begin as a Windows event log does. */
export function isEvtx(head: Buffer): boolean {
  return head.toString('latin1', 0, 8) === fileMagic
}

/**
 * Reads a Windows event log (EVTX) as it streams in: chunks of 64 KiB of records in binary XML. Memory is that of one chunk,
 * whatever the length of the log. A record or chunk that is corrupted is reported, and the rest is read.
 */
export async function* readEvtx(chunks: AsyncIterable<Buffer>): AsyncGenerator<EvtxRecord> {
  let rest = Buffer.alloc(0)
  let hasHeader = false
  for await (const bytes of chunks) {
    rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes])
    if (!hasHeader && rest.length >= 128) {
      // The size of the header's block; 4,096 in all logs seen.
      const headerBytes = Math.max(128, rest.readUInt16LE(40))
      if (rest.length < headerBytes) continue
      rest = rest.subarray(headerBytes)
      hasHeader = true
    }
    let start = 0
    for (; hasHeader && start + chunkBytes <= rest.length; start += chunkBytes) yield* readChunk(rest.subarray(start, start + chunkBytes))
    rest = rest.subarray(start)
  }
  if (!hasHeader) yield { problem: 'the log ends within its header' }
  else if (rest.length > 0) yield* readTruncatedChunk(rest)
}

function* readTruncatedChunk(bytes: Buffer): Generator<EvtxRecord> {
  // A log may be padded.
  if (bytes.every((byte) => byte === 0)) return
  yield* readChunk(bytes)
  yield { problem: 'the log ends within a chunk; its last records are missing' }
}

/** Reads the records of a chunk. */
function* readChunk(bytes: Buffer): Generator<EvtxRecord> {
  if (bytes.toString('latin1', 0, 8) !== chunkMagic) {
    // Chunks that were never written are zero.
    if (bytes.some((byte) => byte !== 0)) yield { problem: 'a chunk of 65,536 bytes is corrupted' }
    return
  }
  if (bytes.length < chunkHeaderBytes) return
  const printer = new RecordPrinter(bytes)
  const freeSpace = bytes.readUInt32LE(48)
  const end = freeSpace > chunkHeaderBytes && freeSpace <= bytes.length ? freeSpace : bytes.length
  for (let start = chunkHeaderBytes; start + recordHeaderBytes <= end; ) {
    const byteLength = bytes.readUInt32LE(start + 4)
    if (bytes.readUInt32LE(start) !== recordMagic || byteLength < recordHeaderBytes + 4) return
    if (start + byteLength > bytes.length) {
      if (bytes.length === chunkBytes) yield { problem: 'a record goes beyond the end of its chunk' }
      return
    }
    yield readRecord(printer, start + recordHeaderBytes, start + byteLength - 4)
    start += byteLength
  }
}

function readRecord(printer: RecordPrinter, start: number, end: number): EvtxRecord {
  try {
    return { json: printer.print(start, end) }
  } catch (error) {
    if (!(error instanceof EvtxError)) throw error
    return { problem: `the record cannot be decoded: ${error.message}` }
  }
}
