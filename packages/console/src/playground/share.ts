/** What a link to the playground carries. */
export type Shared = { readonly text: string; readonly events: string }

const prefix = '#r='
/** A fragment that unpacks to more characters than this is not one of ours. */
export const unpackedMax = 1_000_000

/** Whether an address was made by `printShared`, be it damaged since. */
export function isSharedLink(fragment: string): boolean {
  return fragment.startsWith(prefix)
}

/** Packs a rule and its events into a fragment, which browsers send to no server; undefined for what could not be read again. */
export async function printShared(shared: Shared): Promise<string | undefined> {
  const unpacked = JSON.stringify(shared)
  if (unpacked.length > unpackedMax) return undefined
  const packed = new Blob([unpacked]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return prefix + text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Reads a fragment; undefined for one that is none of ours, is damaged, or is too large. */
export async function readShared(fragment: string): Promise<Shared | undefined> {
  if (!isSharedLink(fragment)) return undefined
  try {
    const text = atob(fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'))
    const packed = new Blob([Uint8Array.from(text, (character) => character.charCodeAt(0))])
    const unpacked = await readBounded(packed.stream().pipeThrough(new DecompressionStream('deflate-raw')))
    const value = JSON.parse(unpacked) as Partial<Shared> | null
    return typeof value?.text === 'string' && typeof value.events === 'string' ? { text: value.text, events: value.events } : undefined
  } catch {
    // The link was cut short, or written by hand.
    return undefined
  }
}

/** Reads a stream as text. @throws RangeError beyond the limit, so that a short link cannot fill the memory. */
async function readBounded(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > unpackedMax) {
      await reader.cancel()
      throw new RangeError(`more than ${unpackedMax} characters`)
    }
  }
}
