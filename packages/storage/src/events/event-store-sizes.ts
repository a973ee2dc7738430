import { limits } from '../limits.ts'

/** Size bounds of an event store. Tests use small ones, so that few events fill blocks and files. */
export type EventStoreSizes = {
  readonly blockRowsMax: number
  readonly logFileBytesMax: number
  readonly logFilesMax: number
  readonly cacheBytesMax: number
  readonly filterBytesMax: number
}

export const defaultEventStoreSizes: EventStoreSizes = limits.events
