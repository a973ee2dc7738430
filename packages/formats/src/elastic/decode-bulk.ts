import { isJsonObject, measureJson, skipBlanks, tryParseJson } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import type { BodyFormat } from '../body-format.ts'
import { decodeEvent, refuse } from '../json/decode-event.ts'
import type { DecodedEvent } from '../json/decode-event.ts'
import type { EventSpan } from '../json/split-body.ts'
import { limits } from '../limits.ts'

const actionNames = ['create', 'index', 'update', 'delete'] as const
type ActionName = (typeof actionNames)[number]

/** The action of one item of a bulk request: what to do with which document. */
export type BulkAction = {
  readonly name: ActionName
  readonly index: string
  /** The id that the sender gave the document. */
  readonly id: string | undefined
}

/** An action with the place of its document, which is empty for `delete`. */
type BulkItem = EventSpan & { readonly action: BulkAction }

const newline = 0x0a

/**
 * Bodies of the bulk API of Elasticsearch: lines with an action, each followed by a line with its document. Other metadata of an
 * action, such as `_type`, `pipeline` or `attempts`, is ignored, as are blank lines.
 *
 * Each action is appended to `actions`, in order, for the answer.
 */
export function bulkFormat(indexDefault: string | undefined, actions: BulkAction[]): BodyFormat<BulkItem> {
  return { scanBody: (bytes) => scanBulk(bytes, indexDefault, actions), decodeEvent: decodeItem, isRetriedWhole: true }
}

/** @throws AppError INVALID_BODY for a line that is no action, PAYLOAD_TOO_LARGE for too many. */
function* scanBulk(bytes: Buffer, indexDefault: string | undefined, actions: BulkAction[]): Generator<BulkItem> {
  const { requestEventsMax: limit } = limits.ingest
  let action: BulkAction | undefined
  let lineNumber = 0
  for (const { start, end } of scanLines(bytes)) {
    lineNumber++
    if (start === end) continue
    if (action !== undefined) {
      yield { action, start, end, extent: measureJson(bytes, start, end) }
      action = undefined
      continue
    }
    const next = parseAction(bytes.subarray(start, end), indexDefault)
    if (next === undefined) throw invalidBody(`line ${lineNumber} is not an action such as {"create":{}}`)
    if (actions.length >= limit) {
      throw new AppError('PAYLOAD_TOO_LARGE', `the body contains more than ${limit} actions; split it`, { limit_events: limit })
    }
    actions.push(next)
    if (next.name === 'delete') yield { action: next, start, end: start, extent: undefined }
    else action = next
  }
  if (action !== undefined) throw invalidBody('the body ends after an action, without its document')
}

function decodeItem(bytes: Buffer, item: BulkItem): DecodedEvent {
  const { name, index, id } = item.action
  if (name === 'delete' || name === 'update') {
    return refuse('UNSUPPORTED_ACTION', `the action '${name}' is not supported; use create or index`)
  }
  const decoded = decodeEvent(bytes, item)
  if ('refusal' in decoded || id === undefined) return decoded
  return { ...decoded, id: JSON.stringify([index, id]) }
}

/** Actions have a few short members; a longer line is none. */
const actionBytesMax = 8_192
const actionDepthMax = 4

function parseAction(line: Buffer, indexDefault: string | undefined): BulkAction | undefined {
  if (line.length > actionBytesMax) return undefined
  const extent = measureJson(line, 0, line.length)
  if (extent === undefined || extent.depth > actionDepthMax) return undefined
  const parsed = tryParseJson(line.toString())
  if (!('value' in parsed) || !isJsonObject(parsed.value)) return undefined
  const action = parsed.value
  // Some clients note beside the action how often they tried.
  const [name, ...others] = actionNames.filter((known) => known in action)
  if (name === undefined || others.length > 0) return undefined
  const metadata = action[name]
  if (!isJsonObject(metadata)) return undefined
  const { _index: index, _id: id } = metadata
  return {
    name, index: typeof index === 'string' ? index : indexDefault ?? 'events',
    id: typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined,
  }
}

/** Finds lines without the blanks around them. */
function* scanLines(bytes: Buffer): Generator<{ readonly start: number; readonly end: number }> {
  for (let lineStart = 0; lineStart < bytes.length; ) {
    const newlineAt = bytes.indexOf(newline, lineStart)
    const end = newlineAt === -1 ? bytes.length : newlineAt
    yield { start: skipBlanks(bytes, lineStart, end), end }
    lineStart = end + 1
  }
}

function invalidBody(message: string): AppError {
  return new AppError('INVALID_BODY', message)
}
