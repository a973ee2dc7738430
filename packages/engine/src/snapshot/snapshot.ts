import type { StateCell } from '../correlation/aggregates/aggregate.ts'
import type { Contribution, MeasuredValue, RememberedEvent } from '../correlation/contribution.ts'
import type { CorrelatorState, SavedCorrelation } from '../correlation/correlator-state.ts'
import type { SavedGroup } from '../correlation/fired-group.ts'
import { countNames, end, kinds, more, readCounts, readSuppressions, readValue } from './body-parts.ts'
import type { SavedSuppression } from './body-parts.ts'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { crc32 } from './crc32.ts'
import { readLegacyState } from './legacy-snapshot.ts'
import { SnapshotError } from './snapshot-error.ts'

/** What an engine knows of its stream. */
export type EngineState = CorrelatorState & {
  /** The number in the stream of the next event. */
  readonly sequence: number
  readonly suppressions: readonly SavedSuppression[]
}

const magic = Array.from('TRIPLINE STATE', (character) => character.charCodeAt(0))
/** Changes with every change of the format. The first version is converted; others are refused. */
const version = 2

/**
 * Writes an engine's state as bytes: a mark, the version, the length and the checksum of the rest, and the rest.
 */
export function writeSnapshot(state: EngineState): Uint8Array<ArrayBuffer> {
  const body = new ByteWriter()
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
    for (const group of groups) writeGroup(group, body)
    body.byte(end)
    for (const contribution of pending) writeContribution(contribution, body)
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
    }
    body.byte(end)
  }
  body.byte(end)
  const file = new ByteWriter()
  for (const byte of magic) file.byte(byte)
  file.count(version)
  file.count(body.written.length)
  file.count(crc32(body.written))
  const head = file.written
  const bytes = new Uint8Array(head.length + body.written.length)
  bytes.set(head)
  bytes.set(body.written, head.length)
  return bytes
}

/**
 * Reads what `writeSnapshot` wrote.
 *
 * @throws SnapshotError for bytes of another kind or version, or that were changed or cut.
 */
export function readSnapshot(bytes: Uint8Array): EngineState {
  const file = new ByteReader(bytes)
  if (bytes.length < magic.length || !magic.every((byte) => byte === file.byte())) {
    throw new SnapshotError('not_a_snapshot', 'the bytes are no state of an engine')
  }
  const format = file.count()
  if (format !== version && format !== 1) {
    const message = `the state has format ${format}, but this version reads formats 1 to ${version}; read it with the version that wrote it`
    throw new SnapshotError('unknown_version', message)
  }
  const [length, checksum] = [file.count(), file.count()]
  const rest = bytes.subarray(magic.length + 12)
  if (rest.length !== length) {
    throw new SnapshotError('truncated', `the state should have ${length} bytes after its head and has ${rest.length}`)
  }
  if (crc32(rest) !== checksum) throw new SnapshotError('damaged', 'the state does not have the checksum it was written with')
  const body = new ByteReader(rest)
  return format === 1 ? readLegacyState(body) : readBody(body)
}

function readBody(body: ByteReader): EngineState {
  const sequence = body.number()
  const base = body.number()
  const [newestAt, watermark] = [body.number(), body.number()]
  const counts = readCounts(body)
  const correlations: SavedCorrelation[] = []
  while (body.byte() === more) {
    const [id, definition] = [body.text(), body.text()]
    const carriedFields = Array.from({ length: body.count() }, () => body.text())
    const degradedUntil = body.number()
    const groups: SavedGroup[] = []
    while (body.byte() === more) groups.push(readGroup(body))
    const pending: Contribution[] = []
    while (body.byte() === more) pending.push(readContribution(body))
    correlations.push({ id, definition, carriedFields, degradedUntil, groups, pending })
  }
  const baseMs = Number.isNaN(base) ? undefined : base
  return { sequence, baseMs, newestAt, watermark, counts, correlations, suppressions: readSuppressions(body) }
}

function writeGroup({ key, firedAt, firstAt, isHeld, isJudged, events, state }: SavedGroup, body: ByteWriter): void {
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

function readGroup(body: ByteReader): SavedGroup {
  const [key, firedAt, firstAt] = [body.text(), body.number(), body.number()]
  const [isHeld, isJudged] = [body.byte() === 1, body.byte() === 1]
  const events: RememberedEvent[] = []
  while (body.byte() === more) events.push(readEvent(body))
  const state: StateCell[] = []
  while (body.byte() === more) state.push(readValue(body) ?? 0)
  return { key, firedAt, firstAt, isHeld, isJudged, events, state }
}

function writeContribution(contribution: Contribution, body: ByteWriter): void {
  const { key, match, value, carried } = contribution
  body.byte(more)
  body.text(key)
  writeEvent(contribution, body)
  body.number(match)
  writeValue(value, body)
  writeValue(carried, body)
}

function readContribution(body: ByteReader): Contribution {
  const key = body.text()
  const event = readEvent(body)
  const match = body.number()
  const [value, carried] = [readValue(body), readValue(body)]
  return { ...event, key, match, value, carried: carried === undefined ? undefined : String(carried) }
}

function writeEvent({ at, sequence, member }: RememberedEvent, body: ByteWriter): void {
  body.number(at)
  body.number(sequence)
  body.byte(member)
}

function readEvent(body: ByteReader): RememberedEvent {
  return { at: body.number(), sequence: body.number(), member: body.byte() }
}

function writeValue(value: MeasuredValue, body: ByteWriter): void {
  if (typeof value === 'string') {
    body.byte(kinds.text)
    body.text(value)
  } else if (typeof value === 'number') {
    body.byte(kinds.number)
    body.number(value)
  } else body.byte(kinds.nothing)
}
