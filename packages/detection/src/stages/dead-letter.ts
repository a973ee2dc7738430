import type { Message } from '@tripline/storage/bus/bus'
import { limits } from '../limits.ts'

/** Why a message cannot be handled. */
export type Rejection = {
  readonly offset: number
  /** One of few words, by which such messages are counted. */
  readonly reason: string
  /** A sentence for people. */
  readonly text: string
}

/** Encodes a dead letter: a line of JSON with the stage, offset and reason, then the message as it was. */
export function encodeDeadLetter(stage: string, { offset, bytes }: Message, { reason, text }: Rejection): Uint8Array {
  const { reasonLengthMax, letterBytesMax } = limits.stage
  const kept = bytes.subarray(0, letterBytesMax)
  const head = { stage, offset, reason, text: text.slice(0, reasonLengthMax), cut_bytes: bytes.length - kept.length }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`, 'utf8'), kept])
}
