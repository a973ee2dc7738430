import { isJsonObject } from '@tripline/common/json'

/** Reads a part of a checkpoint that is a JSON object. @throws Error for anything else. */
export function readHeader(bytes: Uint8Array | undefined): { readonly [name: string]: unknown } | undefined {
  if (bytes === undefined) return undefined
  const head: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (!isJsonObject(head)) throw new Error('a part of a checkpoint is not a JSON object')
  return head
}

export function printHeader(head: { readonly [name: string]: unknown }): Uint8Array {
  return Buffer.from(JSON.stringify(head), 'utf8')
}

/** Parses counts by name. */
export function parseCounts(value: unknown): Map<string, number> {
  return new Map(isJsonObject(value) ? Object.entries(value).map(([name, count]) => [name, Number(count)]) : [])
}
