import { measureJson, skipBlanks, tryParseJson } from '@tripline/common/json'
import { describeZodIssue } from '@tripline/contract/issue-message'
import { clientMessageSchema } from '@tripline/contract/push/push'
import type { ClientMessage } from '@tripline/contract/push/push'
import { limits } from '../limits.ts'

/** A parsed client message, or a sentence on what is wrong with it. */
type ReadMessage = { readonly message: ClientMessage } | { readonly problem: string }

/** Parses a client message; the socket has bounded its length. */
export function readMessage(text: string): ReadMessage {
  const bytes = Buffer.from(text)
  const extent = measureJson(bytes, skipBlanks(bytes, 0, bytes.length), bytes.length)
  if (extent === undefined) return { problem: 'the message is not a JSON object' }
  const { frameDepthMax } = limits.push
  if (extent.depth > frameDepthMax) return { problem: `the message nests deeper than ${frameDepthMax} levels` }
  const parsed = tryParseJson(text)
  if ('problem' in parsed) return { problem: `the message is not valid JSON: ${parsed.problem}` }
  const checked = clientMessageSchema.safeParse(parsed.value, { error: describeZodIssue })
  if (!checked.success) {
    const [issue] = checked.error.issues
    return { problem: `${issue?.path.join('.') || 'the message'}: ${issue?.message ?? 'it is not valid'}` }
  }
  const { data } = checked
  if (data.action === 'subscribe' && data.topics.includes('search') && data.id === undefined) {
    return { problem: 'id: a live tail needs an id, which marks its events' }
  }
  return { message: data }
}
