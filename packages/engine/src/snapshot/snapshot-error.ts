/** What is wrong with bytes that were to be a snapshot. */
export type SnapshotErrorCode = 'not_a_snapshot' | 'unknown_version' | 'damaged' | 'truncated'

/** Bytes that an engine cannot go on from. Nothing of the engine was changed. */
export class SnapshotError extends Error {
  readonly code: SnapshotErrorCode

  constructor(code: SnapshotErrorCode, message: string) {
    super(message)
    this.name = 'SnapshotError'
    this.code = code
  }
}
