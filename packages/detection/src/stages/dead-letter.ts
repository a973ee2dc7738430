import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import type { Message } from '@tripline/storage/bus/bus'
import { limits } from '../limits.ts'

const lineFeed = 0x0a

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

/** A message that a stage could not handle, as it is kept. */
export type DeadLetter = {
  readonly stage: string
  readonly reason: string
  readonly text: string
  /** Bytes of the message that were cut off. */
  readonly cutBytes: number
  /** The message as it was, or its beginning. */
  readonly bytes: Uint8Array
}

/** Decodes a dead letter; undefined if it is none. */
export function decodeDeadLetter(letter: Uint8Array): DeadLetter | undefined {
  const end = letter.indexOf(lineFeed)
  const parsed = end === -1 ? { problem: 'no head' } : tryParseJson(decodeUtf8(letter.subarray(0, end)))
  if ('problem' in parsed || !isJsonObject(parsed.value)) return undefined
  const { stage, reason, text, cut_bytes: cutBytes } = parsed.value
  if (typeof stage !== 'string' || typeof reason !== 'string' || typeof text !== 'string' || typeof cutBytes !== 'number') return undefined
  return { stage, reason, text, cutBytes, bytes: letter.subarray(end + 1) }
}
