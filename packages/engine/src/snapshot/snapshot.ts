import type { CorrelatorState } from '../correlation/correlator-state.ts'
import type { MeasuredValue } from '../correlation/measure.ts'
import type { Contribution, SavedEvent, SavedGroup } from '../correlation/window.ts'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { crc32 } from './crc32.ts'
import { SnapshotError } from './snapshot-error.ts'

/** What an engine knows of its stream. */
export type EngineState = CorrelatorState & {
  /** The number in the stream of the next event. */
  readonly sequence: number
  readonly suppressions: readonly SavedSuppression[]
}

/** What a suppression knows, under its own words. */
export type SavedSuppression = {
  readonly definition: string
  readonly keys: readonly { readonly key: string; readonly since: number; readonly count: number }[]
}

const magic = Array.from('TRIPLINE STATE', (character) => character.charCodeAt(0))
/** Changes with every change of the format; older versions are refused, since nobody keeps them for long. */
const version = 1

/**
 * Writes an engine's state as bytes: a mark, the version, the length and the checksum of the rest, and the rest.
 */
export function writeSnapshot(state: EngineState): Uint8Array<ArrayBuffer> {
  const body = new ByteWriter()
  body.number(state.sequence)
  body.number(state.newestAt)
  body.number(state.watermark)
  for (const name of countNames) body.number(state.counts[name])
  for (const { id, definition, groups, pending } of state.correlations) {
    body.byte(more)
    body.text(id)
    body.text(definition)
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
  const found = file.count()
  if (found !== version) {
    throw new SnapshotError('unknown_version', `the state is of format ${found}; this version reads format ${version}`)
  }
  const [length, checksum] = [file.count(), file.count()]
  const rest = bytes.subarray(magic.length + 12)
  if (rest.length !== length) {
    throw new SnapshotError('truncated', `the state should have ${length} bytes after its head and has ${rest.length}`)
  }
  if (crc32(rest) !== checksum) throw new SnapshotError('damaged', 'the state does not have the checksum it was written with')
  return readBody(new ByteReader(rest))
}

function readBody(body: ByteReader): EngineState {
  const sequence = body.number()
  const [newestAt, watermark] = [body.number(), body.number()]
  const counts = { late: 0, future: 0, undated: 0, ungrouped: 0, unmeasured: 0, evicted: 0 }
  for (const name of countNames) counts[name] = body.number()
  const correlations: { id: string; definition: string; groups: SavedGroup[]; pending: Contribution[] }[] = []
  while (body.byte() === more) {
    const [id, definition] = [body.text(), body.text()]
    const groups: SavedGroup[] = []
    while (body.byte() === more) groups.push(readGroup(body))
    const pending: Contribution[] = []
    while (body.byte() === more) pending.push(readContribution(body))
    correlations.push({ id, definition, groups, pending })
  }
  return { sequence, newestAt, watermark, counts, correlations, suppressions: readSuppressions(body) }
}

function readSuppressions(body: ByteReader): SavedSuppression[] {
  const suppressions: SavedSuppression[] = []
  while (body.byte() === more) {
    const definition = body.text()
    const keys: { key: string; since: number; count: number }[] = []
    while (body.byte() === more) keys.push({ key: body.text(), since: body.number(), count: body.count() })
    suppressions.push({ definition, keys })
  }
  return suppressions
}

const countNames = ['late', 'future', 'undated', 'ungrouped', 'unmeasured', 'evicted'] as const

/** Stand before each element of a list and behind the last. */
const more = 1
const end = 0

function writeGroup({ key, since, held, events }: SavedGroup, body: ByteWriter): void {
  body.byte(more)
  body.text(key)
  body.number(since)
  body.byte(Number(held))
  for (const event of events) {
    body.byte(more)
    writeEvent(event, body)
  }
  body.byte(end)
}

function readGroup(body: ByteReader): SavedGroup {
  const [key, since, held] = [body.text(), body.number(), body.byte() === 1]
  const events: SavedEvent[] = []
  while (body.byte() === more) events.push(readEvent(body))
  return { key, since, held, events }
}

function writeContribution(contribution: Contribution, body: ByteWriter): void {
  body.byte(more)
  body.text(contribution.key)
  writeEvent(contribution, body)
}

function readContribution(body: ByteReader): Contribution {
  const key = body.text()
  return { key, ...readEvent(body) }
}

function writeEvent({ at, sequence, member, value }: SavedEvent, body: ByteWriter): void {
  body.number(at)
  body.number(sequence)
  body.byte(member)
  if (typeof value === 'string') {
    body.byte(kinds.text)
    body.text(value)
  } else if (typeof value === 'number') {
    body.byte(kinds.number)
    body.number(value)
  } else body.byte(kinds.nothing)
}

function readEvent(body: ByteReader): SavedEvent {
  return { at: body.number(), sequence: body.number(), member: body.byte(), value: readValue(body) }
}

const kinds = { nothing: 0, text: 1, number: 2 } as const

function readValue(body: ByteReader): MeasuredValue {
  switch (body.byte()) {
    case kinds.text:
      return body.text()
    case kinds.number:
      return body.number()
    default:
      return undefined
  }
}
