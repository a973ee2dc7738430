import { limits } from '../limits.ts'

/** Size bounds of a bus. Tests use small ones, so that few messages fill files and topics. */
export type BusSizes = {
  readonly fileBytesMax: number
  readonly commitFileBytesMax: number
  readonly topicBytesMax: number
  readonly tenantBytesMax: number
  readonly waitingBytesMax: number
  readonly takeBytesMax: number
  readonly recentBytesMax: number
}

export const defaultBusSizes: BusSizes = limits.bus
