import { isJsonObject } from '@tripline/common/json'
import type { EventObject } from '@tripline/engine'

/** One event of several records, and the indexes of the records that it holds. */
type MergedRecords = { readonly event: EventObject; readonly indexes: readonly number[] }

/** Records in the order in which they say what a field is: what runs, how it was called, where, and then what it touched. */
const typeRanks: ReadonlyMap<unknown, number> = new Map(['SYSCALL', 'EXECVE', 'CWD', 'PROCTITLE'].map((type, rank) => [type, rank]))
const otherRank = typeRanks.size
/** Of several paths the one that the call is about; the folder around it last. */
const pathRanks: ReadonlyMap<unknown, number> = new Map(
  ['CREATE', 'DELETE', 'NORMAL', 'UNKNOWN', 'PARENT'].map((nametype, rank) => [nametype, rank]),
)

/**
 * Makes one event of the records of an audit event. A record joins as long as it contradicts none before it, so that a condition
 * over fields of one record holds for the merged event exactly when it holds for a record: a second `PATH` has another name, and
 * stays an event of its own. `type` lists the types. `a0` to `a3` of a `SYSCALL` are registers, and those of an `EXECVE` what rules
 * ask for: where both are, the registers are `syscall_a0` to `syscall_a3`. A long argument, which comes as `a1[0]`, `a1[1]` and so on
 * and over several records, is `a1`.
 */
export function mergeAuditRecords(records: readonly EventObject[]): MergedRecords {
  const hasArguments = records.some(({ type }) => type === 'EXECVE')
  const merged = new Map<string, unknown>()
  const joined: number[] = []
  // Sorting keeps the order of equals.
  const ordered = records.map((record, index) => ({ record, index })).sort((a, b) => rankOf(a.record) - rankOf(b.record))
  for (const { record, index } of ordered) {
    const fields = Object.entries(record).map(([name, value]) => [hasArguments ? nameRegister(record, name) : name, value] as const)
    if (fields.some(([name, value]) => isStated(name, value) && merged.has(name) && merged.get(name) !== value)) continue
    for (const [name, value] of fields) if (!merged.has(name)) merged.set(name, value)
    joined.push(index)
  }
  const indexes = joined.toSorted((a, b) => a - b)
  const parts = indexes.map((index) => records[index]!)
  const messages = parts.flatMap(({ message }) => (typeof message === 'string' ? [message] : []))
  const types = [...new Set(parts.map(({ type }) => type))]
  return {
    event: {
      ...Object.fromEntries(joinParts(merged)), type: types.length === 1 ? types[0] : types,
      ...(messages.length > 0 && { message: messages.join('\n') }),
    },
    indexes,
  }
}

/** Joins the parts of arguments; those of which one is missing stay as they are. */
function joinParts(fields: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  const joined = new Map(fields)
  for (const name of fields.keys()) {
    const argument = /^(a\d+)\[0\]$/.exec(name)?.[1]
    if (argument === undefined || fields.has(argument)) continue
    const parts: string[] = []
    for (let part = fields.get(name); typeof part === 'string'; part = fields.get(`${argument}[${parts.length}]`)) parts.push(part)
    if (isTorn(fields, argument, parts.length)) continue
    for (const index of parts.keys()) joined.delete(`${argument}[${index}]`)
    joined.set(argument, parts.join(''))
  }
  return joined
}

/** Whether there are more parts of an argument than those in a row. */
function isTorn(fields: ReadonlyMap<string, unknown>, argument: string, count: number): boolean {
  return [...fields.keys()].filter((name) => name.startsWith(`${argument}[`)).length !== count
}

/** Whether a field is one of the record: what shippers add are objects or have a point in their name, and the text is kept whole. */
function isStated(name: string, value: unknown): boolean {
  return name !== 'type' && name !== 'message' && name !== 'id' && !name.includes('.') && !isJsonObject(value) && !Array.isArray(value)
}

function rankOf({ type, nametype }: EventObject): number {
  if (type === 'PATH') return otherRank + 1 + (pathRanks.get(nametype) ?? pathRanks.size)
  return typeRanks.get(type) ?? otherRank
}

function nameRegister({ type }: EventObject, name: string): string {
  return type === 'SYSCALL' && /^a[0-3]$/.test(name) ? `syscall_${name}` : name
}
