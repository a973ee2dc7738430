import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { toLosslessJson } from '@tripline/common/lossless-json'
import { normalizeEvent } from '@tripline/engine/evaluate'
import type { StoredEvent } from '@tripline/storage/events/event-store'

const logsourceField = '_logsource'

/** An event as rules see it: with the log source of its connector where it does not state one itself. */
export function readAsRules({ bytes, arrival }: Pick<StoredEvent, 'bytes' | 'arrival'>) {
  const text = decodeUtf8(bytes)
  const parsed = tryParseJson(text)
  const own = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {}
  const isDeclared = arrival?.logsource === undefined || Object.hasOwn(own, logsourceField)
  const event = normalizeEvent(isDeclared ? own : { ...own, [logsourceField]: arrival.logsource }, 'auto')
  const { [logsourceField]: _declared, ...others } = event.fields
  const fields = event.fields === own ? toLosslessJson(own, text) : isDeclared ? event.fields : others
  return { text, event, fields, logsources: event.logsources }
}
