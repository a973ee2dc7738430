import type { WindowsAliasKind } from './field-aliases.ts'

/** Categories of events of a service by event id; an event may have several. */
export type CategoryRow = {
  readonly service: string
  readonly eventIds: readonly number[]
  /** The row applies only to events with this `EventType` and replaces the general row. */
  readonly eventType?: string
  readonly categories: readonly string[]
  readonly aliases?: WindowsAliasKind
}

/** Sysmon events, the same on Windows and Linux. */
const sysmonRows: readonly CategoryRow[] = ([
  [[1], 'process_creation'],
  [[2], 'file_change'],
  [[3], 'network_connection'],
  [[4, 16], 'sysmon_status'],
  [[5], 'process_termination'],
  [[6], 'driver_load'],
  [[7], 'image_load'],
  [[8], 'create_remote_thread'],
  [[9], 'raw_access_thread'],
  [[10], 'process_access'],
  [[11], 'file_event'],
  [[12], 'registry_event'],
  [[13], 'registry_event', 'registry_set'],
  [[14], 'registry_event', 'registry_rename'],
  [[15], 'create_stream_hash'],
  [[17, 18], 'pipe_created'],
  [[19, 20, 21], 'wmi_event'],
  [[22], 'dns_query'],
  [[23], 'file_delete'],
  // The first name is from the taxonomy, the second from the logsource map of SigmaHQ.
  [[24], 'clipboard_capture', 'clipboard_change'],
  [[25], 'process_tampering'],
  [[26], 'file_delete_detected'],
  [[27], 'file_block_executable'],
  [[28], 'file_block_shredding'],
  [[29], 'file_executable_detected'],
  [[255], 'sysmon_error'],
] as const).map(([eventIds, ...categories]) => ({ service: 'sysmon', eventIds, categories }))

/** Sysmon 12 has the change of the key or value in `EventType`; without it, only `registry_event` is certain. */
const registryRows: readonly CategoryRow[] = ([
  ['CreateKey', 'registry_add'],
  ['DeleteKey', 'registry_delete'],
  ['DeleteValue', 'registry_delete'],
] as const).map(([eventType, category]) => (
  { service: 'sysmon', eventIds: [12], eventType, categories: ['registry_event', category] }
))

/** All events with a category in addition to their service. */
export const windowsCategories: readonly CategoryRow[] = [
  ...sysmonRows,
  ...registryRows,
  { service: 'security', eventIds: [4688], categories: ['process_creation'], aliases: 'process' },
  { service: 'powershell', eventIds: [4103], categories: ['ps_module'] },
  { service: 'powershell', eventIds: [4104], categories: ['ps_script'] },
  { service: 'powershell-classic', eventIds: [400], categories: ['ps_classic_start'] },
  { service: 'powershell-classic', eventIds: [600], categories: ['ps_classic_provider_start'] },
  { service: 'powershell-classic', eventIds: [800], categories: ['ps_classic_script'] },
  {
    service: 'windefend',
    eventIds: [1006, 1007, 1008, 1009, 1010, 1011, 1012, 1017, 1018, 1019, 1115, 1116],
    categories: ['antivirus'],
    aliases: 'antivirus',
  },
]

/**
 * Categories of the trace provider Microsoft-Windows-Kernel-File, which has no event log. Event 12 (Create) has the
 * fields of the category file_access, and 27 (RenamePath) those of file_rename.
 */
export const kernelFileProvider = 'Microsoft-Windows-Kernel-File'
export const kernelFileCategories: readonly (readonly [eventId: number, category: string])[] = [
  [12, 'file_access'],
  [27, 'file_rename'],
]
