/** Bytes of a log that are not what the format says; the record that they stand in is skipped. */
export class EvtxError extends Error {
  override readonly name = 'EvtxError'
}
