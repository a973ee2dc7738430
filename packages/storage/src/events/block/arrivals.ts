import { isJsonObject } from '@tripline/common/json'
import type { EventArrival, EventSource } from '@tripline/formats/event/event-arrival'
import { parseLogsource } from '@tripline/formats/event/parse-logsource'
import { CorruptionError } from '../../log/byte-reader.ts'
import type { ByteReader } from '../../log/byte-reader.ts'
import type { ByteWriter } from '../../log/byte-writer.ts'
import { readDeltas, writeDeltas } from './numbers-codec.ts'

/** How each of some rows arrived, by row number; undefined for a row that no pipeline accepted. */
export type Arrivals = (row: number) => EventArrival | undefined

const noArrival = 0

/**
 * Writes arrivals by column: the distinct sources, then for each row its source, and for those that have one the offset
 * and the time as zigzag varint deltas.
 */
export function writeArrivals(writer: ByteWriter, arrivals: readonly (EventArrival | undefined)[]): void {
  const codes = new Map<string, number>()
  const rowCodes = arrivals.map((arrival) => {
    if (arrival === undefined) return noArrival
    const source = printSource(arrival)
    const code = codes.get(source) ?? codes.size + 1
    codes.set(source, code)
    return code
  })
  writer.varint(codes.size)
  for (const source of codes.keys()) {
    const bytes = Buffer.from(source, 'utf8')
    writer.varint(bytes.length)
    writer.bytes(bytes)
  }
  for (const code of rowCodes) writer.varint(code)
  const accepted = arrivals.filter((arrival) => arrival !== undefined)
  writeDeltas(writer, accepted.map(({ offset }) => offset))
  writeDeltas(writer, accepted.map(({ receivedAt }) => receivedAt))
}

/** Reads the arrivals of so many rows. @throws CorruptionError. */
export function readArrivals(reader: ByteReader, rowCount: number): Arrivals {
  const sources = Array.from({ length: reader.varint() }, () => parseSource(reader.bytes(reader.varint()).toString('utf8')))
  const codes = Uint32Array.from({ length: rowCount }, () => reader.varint())
  const count = codes.reduce((sum, code) => sum + Number(code !== noArrival), 0)
  const offsets = readDeltas(reader, count)
  const times = readDeltas(reader, count)
  // The number of accepted rows before each row is the place of its offset and time.
  let accepted = 0
  const places = codes.map((code) => (code === noArrival ? accepted : accepted++))
  return (row) => {
    const code = codes[row] ?? noArrival
    if (code === noArrival) return undefined
    const source = sources[code - 1]
    if (source === undefined) throw new CorruptionError(`there is no source ${code} of events`)
    const place = places[row]!
    return { ...source, offset: offsets[place]!, receivedAt: times[place]! }
  }
}

function printSource({ connectorId, logsource }: EventSource): string {
  return JSON.stringify({ connectorId, logsource })
}

function parseSource(text: string): EventSource {
  const source: unknown = JSON.parse(text)
  if (!isJsonObject(source)) throw new CorruptionError('the source of an event is no object')
  const { connectorId } = source
  const logsource = parseLogsource(source['logsource'])
  return { ...(typeof connectorId === 'string' && { connectorId }), ...(logsource && { logsource }) }
}
