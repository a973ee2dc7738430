import type { StateCell } from '../correlation/aggregates/aggregate.ts'
import type { Contribution, MeasuredValue, RememberedEvent } from '../correlation/contribution.ts'
import type { SavedCorrelation } from '../correlation/correlator-state.ts'
import type { SavedGroup } from '../correlation/fired-group.ts'
import { finishSteps } from '../finish-steps.ts'
import { countNames, end, kinds, more, readCounts, readMeasuredValue, readSuppressions } from './body-parts.ts'
import { crc32 } from './crc32.ts'
import type { EngineState } from './engine-state.ts'
import { readLegacyState } from './legacy-snapshot.ts'
import { SnapshotError } from './snapshot-error.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { SnapshotWriter } from './snapshot-writer.ts'

const magic = Array.from('TRIPLINE STATE', (character) => character.charCodeAt(0))
/**
 * Changes with every change of the format. The first version is converted; the second has length and checksum before
 * the state, the third behind it, so that it can be written in chunks.
 */
const version = 3

/** Bytes of a chunk, roughly: a fraction of a millisecond of work. */
const chunkBytesMin = 65_536

/** Writes an engine's state as bytes. */
export function writeSnapshot(state: EngineState): Uint8Array<ArrayBuffer> {
  const chunks = [...writeSnapshotChunks(state)]
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * Writes an engine's state in chunks, each a short piece of work: a mark, the version, the state, and its length and
 * checksum. The state must not change before the last chunk is written.
 */
export function* writeSnapshotChunks(state: EngineState): Generator<Uint8Array<ArrayBuffer>, undefined> {
  const head = new SnapshotWriter()
  for (const byte of magic) head.byte(byte)
  head.count(version)
  yield head.take()
  let [length, checksum] = [0, 0]
  for (const chunk of writeBody(state)) {
    length += chunk.length
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  const tail = new SnapshotWriter()
  tail.count(length)
  tail.count(checksum)
  yield tail.take()
}

function* writeBody(state: EngineState): Generator<Uint8Array<ArrayBuffer>> {
  const body = new SnapshotWriter()
  body.number(state.sequence)
  body.number(state.baseMs ?? NaN)
  body.number(state.newestAt)
  body.number(state.watermark)
  for (const name of countNames) body.number(state.counts[name])
  for (const { id, definition, carriedFields, degradedUntil, groups, pending } of state.correlations) {
    body.byte(more)
    body.text(id)
    body.text(definition)
    body.count(carriedFields.length)
    for (const field of carriedFields) body.text(field)
    body.number(degradedUntil)
    for (const group of groups) {
      writeGroup(group, body)
      if (body.length >= chunkBytesMin) yield body.take()
    }
    body.byte(end)
    for (const contribution of pending) {
      writeContribution(contribution, body)
      if (body.length >= chunkBytesMin) yield body.take()
    }
    body.byte(end)
  }
  body.byte(end)
  for (const { definition, keys } of state.suppressions) {
    body.byte(more)
    body.text(definition)
    for (const { key, since, count } of keys) {
      body.byte(more)
      body.text(key)
      body.number(since)
      body.count(count)
      if (body.length >= chunkBytesMin) yield body.take()
    }
    body.byte(end)
  }
  body.byte(end)
  yield body.take()
}

/**
 * Reads what `writeSnapshot` wrote. The checksum is compared at once; correlations, their groups and what is pending, and then
 * suppressions are read while they are iterated: once, wholly and in this order.
 *
 * @throws SnapshotError for bytes of another kind or version, or that were changed or cut.
 */
export function readSnapshot(bytes: Uint8Array): EngineState {
  return finishSteps(readSnapshotInSteps(bytes))
}

/**
 * The same in short steps of work.
 *
 * @throws SnapshotError for bytes of another kind or version, or that were changed or cut.
 */
export function* readSnapshotInSteps(bytes: Uint8Array): Generator<undefined, EngineState> {
  const file = new SnapshotReader(bytes)
  if (bytes.length < magic.length || !magic.every((byte) => byte === file.byte())) {
    throw new SnapshotError('not_a_snapshot', 'the bytes are no state of an engine')
  }
  const format = file.count()
  if (format < 1 || format > version) {
    const message = `the state has format ${format}, but this version reads formats 1 to ${version}; read it with the version that wrote it`
    throw new SnapshotError('unknown_version', message)
  }
  const body = findBody(bytes, file, format)
  let checksum = 0
  for (let at = 0; at < body.bytes.length; at += chunkBytesMin) {
    checksum = crc32(body.bytes.subarray(at, at + chunkBytesMin), checksum)
    yield
  }
  if (checksum !== body.checksum) throw new SnapshotError('damaged', 'the state does not have the checksum it was written with')
  const reader = new SnapshotReader(body.bytes)
  return format === 1 ? readLegacyState(reader) : readBody(reader)
}

/** Finds the state between its head and its tail. @throws SnapshotError where it is cut. */
function findBody(bytes: Uint8Array, file: SnapshotReader, format: number): { readonly bytes: Uint8Array; readonly checksum: number } {
  const headLength = magic.length + 4
  const frameLength = headLength + 8
  const isAhead = format < 3
  if (bytes.length < frameLength) {
    throw new SnapshotError('truncated', `the state should have at least ${frameLength} bytes and has ${bytes.length}`)
  }
  const frame = isAhead ? file : new SnapshotReader(bytes.subarray(-8))
  const [length, checksum] = [frame.count(), frame.count()]
  const body = isAhead ? bytes.subarray(frameLength) : bytes.subarray(headLength, -8)
  if (body.length === length) return { bytes: body, checksum }
  throw new SnapshotError('truncated', `the state should have ${length} bytes and has ${body.length}`)
}

function readBody(body: SnapshotReader): EngineState {
  const sequence = body.number()
  const base = body.number()
  const [newestAt, watermark] = [body.number(), body.number()]
  const counts = readCounts(body)
  const baseMs = Number.isNaN(base) ? undefined : base
  const correlations = readCorrelations(body)
  return { sequence, baseMs, newestAt, watermark, counts, correlations, suppressions: readSuppressions(body) }
}

function* readCorrelations(body: SnapshotReader): Generator<SavedCorrelation> {
  while (body.byte() === more) {
    const [id, definition] = [body.text(), body.text()]
    const carriedFields = Array.from({ length: body.count() }, () => body.text())
    const degradedUntil = body.number()
    yield { id, definition, carriedFields, degradedUntil, groups: readList(body, readGroup), pending: readList(body, readContribution) }
  }
}

function* readList<Item>(body: SnapshotReader, read: (body: SnapshotReader) => Item): Generator<Item> {
  while (body.byte() === more) yield read(body)
}

function writeGroup({ key, firedAt, firstAt, isHeld, isJudged, events, state }: SavedGroup, body: SnapshotWriter): void {
  body.byte(more)
  body.text(key)
  body.number(firedAt)
  body.number(firstAt)
  body.byte(Number(isHeld))
  body.byte(Number(isJudged))
  for (const event of events) {
    body.byte(more)
    writeEvent(event, body)
  }
  body.byte(end)
  for (const cell of state) {
    body.byte(more)
    writeValue(cell, body)
  }
  body.byte(end)
}

function readGroup(body: SnapshotReader): SavedGroup {
  const [key, firedAt, firstAt] = [body.text(), body.number(), body.number()]
  const [isHeld, isJudged] = [body.byte() === 1, body.byte() === 1]
  const events: RememberedEvent[] = []
  while (body.byte() === more) events.push(readEvent(body))
  const state: StateCell[] = []
  while (body.byte() === more) state.push(readMeasuredValue(body) ?? 0)
  return { key, firedAt, firstAt, isHeld, isJudged, events, state }
}

function writeContribution(contribution: Contribution, body: SnapshotWriter): void {
  const { key, match, value, carried } = contribution
  body.byte(more)
  body.text(key)
  writeEvent(contribution, body)
  body.number(match)
  writeValue(value, body)
  writeValue(carried, body)
}

function readContribution(body: SnapshotReader): Contribution {
  const key = body.text()
  const event = readEvent(body)
  const match = body.number()
  const [value, carried] = [readMeasuredValue(body), readMeasuredValue(body)]
  return { ...event, key, match, value, carried: carried === undefined ? undefined : String(carried) }
}

function writeEvent({ at, sequence, member }: RememberedEvent, body: SnapshotWriter): void {
  body.number(at)
  body.number(sequence)
  body.byte(member)
}

function readEvent(body: SnapshotReader): RememberedEvent {
  return { at: body.number(), sequence: body.number(), member: body.byte() }
}

function writeValue(value: MeasuredValue, body: SnapshotWriter): void {
  if (typeof value === 'string') {
    body.byte(kinds.text)
    body.text(value)
  } else if (typeof value === 'number') {
    body.byte(kinds.number)
    body.number(value)
  } else body.byte(kinds.nothing)
}
