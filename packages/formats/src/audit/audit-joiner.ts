import { isJsonObject } from '@tripline/common/json'
import type { EventObject } from '@tripline/engine'
import { encodeEvent } from '../json/decode-event.ts'
import { mergeAuditRecords } from './merge-audit-records.ts'

/** What a record has in common with the others of its audit event. */
export type AuditRecordHead = {
  /** Host, time and serial number. */
  readonly key: string
  /** Whether the kernel sends no record after this one. */
  readonly isLast: boolean
}

/**
 * Types of which the kernel sends several for one audit event. Programs send one record for each event, and all that a daemon
 * sends at once may have one serial number.
 */
const kernelTypes: ReadonlySet<unknown> = new Set([
  'ANOM_ABEND', 'ANOM_LINK', 'ANOM_PROMISCUOUS', 'AVC', 'AVC_PATH', 'BPF', 'BPRM_FCAPS', 'CAPSET', 'CONFIG_CHANGE', 'CWD', 'EOE',
  'EVENT_LISTENER', 'EXECVE', 'FANOTIFY', 'FD_PAIR', 'FEATURE_CHANGE', 'INTEGRITY_DATA', 'INTEGRITY_HASH', 'INTEGRITY_METADATA',
  'INTEGRITY_PCR', 'INTEGRITY_RULE', 'INTEGRITY_STATUS', 'IPC', 'IPC_SET_PERM', 'KERNEL_OTHER', 'KERN_MODULE', 'LOGIN',
  'MAC_CONFIG_CHANGE', 'MAC_POLICY_LOAD', 'MAC_STATUS', 'MMAP', 'MQ_GETSETATTR', 'MQ_NOTIFY', 'MQ_OPEN', 'MQ_SENDRECV',
  'NETFILTER_CFG', 'NETFILTER_PKT', 'OBJ_PID', 'OPENAT2', 'PATH', 'PROCTITLE', 'SECCOMP', 'SELINUX_ERR', 'SOCKADDR', 'SOCKETCALL',
  'SYSCALL', 'TIME_ADJNTPVAL', 'TIME_INJOFFSET', 'TTY', 'URINGOP',
])

/** The last record of an audit event, but for the one that only says so. */
const lastTypes: ReadonlySet<unknown> = new Set(['EOE', 'PROCTITLE'])

/** Whether the kernel sends another record of the same audit event after one of a type. */
export function isFollowed(type: string): boolean {
  return kernelTypes.has(type) && !lastTypes.has(type)
}

/** Reads by what an event is joined with others; undefined for all that is no record of the kernel's audit. */
export function readAuditHead(event: EventObject): AuditRecordHead | undefined {
  const { type, serial, node, host } = event
  if (!kernelTypes.has(type) || (typeof serial !== 'string' && typeof serial !== 'number')) return undefined
  const at = event['@timestamp'] ?? event['timestamp']
  if (typeof at !== 'string' && typeof at !== 'number') return undefined
  const from = node ?? (isJsonObject(host) ? host['hostname'] ?? host['name'] ?? host['ip'] : host) ?? event['hostname']
  return { key: JSON.stringify([from ?? null, String(at), String(serial)]), isLast: lastTypes.has(type) }
}

type JoinerOptions<Entry> = {
  /** The event of an entry that has a head. */
  readonly read: (entry: Entry) => EventObject
  /** Entries that wait, at most: behind an audit event that is not complete. */
  readonly heldMax: number
}

/** The event of several entries, in the place of the first of them. */
type JoinedEvent<Entry> = { readonly event: EventObject; readonly bytes: Uint8Array; readonly entries: readonly Entry[] }

/** An entry in its turn: by itself, the first of a joined event, or in one that came before. */
export type JoinedEntry<Entry> = { readonly entry: Entry; readonly joined: JoinedEvent<Entry> | 'none' | 'before' }

type Item<Entry> = { readonly entry: Entry; readonly group: Group<Entry> | undefined; joined: JoinedEntry<Entry>['joined'] | undefined }
type Group<Entry> = { readonly key: string; readonly items: Item<Entry>[]; isComplete: boolean }

/**
 * Joins the records of audit events in a stream of entries, whose order stays. An audit event is complete with its last record; one
 * whose last record does not come is, too, when too many entries wait or the stream ends. What comes later stays by itself.
 */
export class AuditJoiner<Entry> {
  readonly #options: JoinerOptions<Entry>
  readonly #open = new Map<string, Group<Entry>>()
  #items: Item<Entry>[] = []

  constructor(options: JoinerOptions<Entry>) {
    this.#options = options
  }

  add(entry: Entry, head: AuditRecordHead | undefined): void {
    const group = head === undefined ? undefined : this.#groupOf(head)
    const item: Item<Entry> = { entry, group, joined: undefined }
    group?.items.push(item)
    this.#items.push(item)
  }

  /**
   * Takes the entries in front of the first audit event that is not complete. `isDue` decides by its first entry whether one waits no
   * longer; at the end of the stream none does.
   */
  take(isDue: (first: Entry) => boolean = () => false): JoinedEntry<Entry>[] {
    const taken: JoinedEntry<Entry>[] = []
    for (const item of this.#items) {
      const { group } = item
      if (group !== undefined && item.joined === undefined) {
        const isFull = this.#items.length - taken.length > this.#options.heldMax
        if (!group.isComplete && !isFull && !isDue(item.entry)) break
        this.#merge(group)
      }
      taken.push({ entry: item.entry, joined: item.joined ?? 'none' })
    }
    this.#items = this.#items.slice(taken.length)
    return taken
  }

  #groupOf({ key, isLast }: AuditRecordHead): Group<Entry> {
    const group = this.#open.get(key) ?? { key, items: [], isComplete: false }
    this.#open.set(key, group)
    group.isComplete ||= isLast
    return group
  }

  #merge({ key, items }: Group<Entry>): void {
    this.#open.delete(key)
    const { event, indexes } = mergeAuditRecords(items.map(({ entry }) => this.#options.read(entry)))
    // Records stay apart that would exceed the limits of an event.
    const encoded = indexes.length < 2 ? undefined : encodeEvent(event)
    const bytes = encoded !== undefined && 'bytes' in encoded ? encoded.bytes : undefined
    for (const [index, item] of items.entries()) {
      if (bytes === undefined || !indexes.includes(index)) item.joined = 'none'
      else item.joined = index === indexes[0] ? { event, bytes, entries: indexes.map((one) => items[one]!.entry) } : 'before'
    }
  }
}
