import { getPath } from '@tripline/common/get-path'
import { readPrimaryObservables } from '@tripline/engine/evaluate'
import type { NormalizedEvent } from '@tripline/engine/evaluate'

/** The summary of a match's event; absent values are empty. */
export type MatchEvent = {
  readonly processName: string
  readonly commandLine: string
  readonly user: string
  readonly host: string
  /** The event's own time, as written. */
  readonly statedTime: string
}

/** Where events state their time, as analysts read it; the first field with a value counts. */
const timeFields = [
  '@timestamp', 'timestamp', 'UtcTime', 'TimeCreated', 'SystemTime', 'EventTime', 'eventTime', 'time', 'published', 'CreationTime', 'ts',
]

/**
 * Reads what a match shows of its event, through the taxonomy: in every shape, host, user and process are found where
 * rules find them. A process is shown by its name without the folders; every text is cut at `lengthMax` characters.
 */
export function extractMatchEvent(event: NormalizedEvent, lengthMax: number): MatchEvent {
  const { host, user, process, commandLine } = readPrimaryObservables(event)
  return {
    processName: cut(removeFolders(process), lengthMax),
    commandLine: cut(commandLine, lengthMax),
    user: cut(user, lengthMax),
    host: cut(host, lengthMax),
    statedTime: cut(findFirstText(event.fields, timeFields), lengthMax),
  }
}

function findFirstText(event: { readonly [field: string]: unknown }, fields: readonly string[]): string {
  for (const field of fields) {
    const value = getPath(event, field)
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number') return String(value)
  }
  return ''
}

/** Copies the text: a slice would keep the whole event text in memory. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : Buffer.from(text.slice(0, lengthMax), 'utf16le').toString('utf16le')
}

function removeFolders(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1)
}
