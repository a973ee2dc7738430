import { isJsonObject } from '../domain/json.ts'

/** A part of a checkpoint that is an object of JSON. @throws Error for bytes that no program of ours wrote. */
export function readHeader(bytes: Uint8Array | undefined): { readonly [name: string]: unknown } | undefined {
  if (bytes === undefined) return undefined
  const head: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (!isJsonObject(head)) throw new Error('a part of a checkpoint is no object')
  return head
}

export function printHeader(head: { readonly [name: string]: unknown }): Uint8Array {
  return Buffer.from(JSON.stringify(head), 'utf8')
}

/** Counts by name, as JSON holds them. */
export function parseCounts(value: unknown): Map<string, number> {
  return new Map(isJsonObject(value) ? Object.entries(value).map(([name, count]) => [name, Number(count)]) : [])
}
