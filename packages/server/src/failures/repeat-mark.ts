import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { isJsonObject, tryParseJson } from '@tripline/common/json'

/** Encodes that failures were sent again, as it stands behind them on their topic: JSON with the ids, which no dead letter is. */
export function encodeRepeatMark(ids: readonly string[]): Uint8Array {
  return Buffer.from(JSON.stringify({ repeated: ids }))
}

/** The ids of failures that were sent again; none where the bytes are something else. */
export function decodeRepeatMark(bytes: Uint8Array): readonly string[] {
  const parsed = tryParseJson(decodeUtf8(bytes))
  if ('problem' in parsed || !isJsonObject(parsed.value)) return []
  const { repeated } = parsed.value
  return Array.isArray(repeated) ? repeated.filter((id) => typeof id === 'string') : []
}
