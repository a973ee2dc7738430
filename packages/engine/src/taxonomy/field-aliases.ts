import { noAliases } from '../event/event.ts'
import type { FieldAliases } from '../event/event.ts'

/** Field name in rules -> alternative fields of events, in order. */
type AliasTable = { readonly [field: string]: readonly string[] }

/**
 * Security event 4688 corresponds to Sysmon event 1. `ProcessId` is missing because 4688 has a field of that name, the
 * id of the creator, which rules then read. `LogonId` is missing because rules mean the logon of the new process,
 * which 4688 spreads over two fields.
 */
const processAliases: AliasTable = {
  Image: ['NewProcessName'],
  ParentImage: ['ParentProcessName'],
  ParentProcessId: ['ProcessId'],
  User: ['SubjectUserName'],
  IntegrityLevel: ['MandatoryLabel'],
}

/** Detections of Windows Defender with the field names of the category antivirus. */
const antivirusAliases: AliasTable = {
  Signature: ['ThreatName'],
  Filename: ['Path'],
  Action: ['ActionName'],
}

const rpcFirewallAliases: AliasTable = { EventLog: ['Channel'] }

/** Collectors that render the message drop the unnamed data of classic events, but the message contains it. */
const messageAliases: AliasTable = { Data: ['Message'] }

/** Fields of the Elastic Common Schema, nested or dotted. */
const ecsFieldAliases: AliasTable = {
  EventID: ['event.code'],
  Provider_Name: ['event.provider'],
  Computer: ['host.name', 'host.hostname'],
  User: ['user.name'],
  Image: ['process.executable'],
  CommandLine: ['process.command_line'],
  CurrentDirectory: ['process.working_directory'],
  ProcessId: ['process.pid'],
  ProcessGuid: ['process.entity_id'],
  IntegrityLevel: ['process.Ext.token.integrity_level_name'],
  OriginalFileName: ['process.pe.original_file_name', 'dll.pe.original_file_name', 'file.pe.original_file_name'],
  Description: ['process.pe.description', 'dll.pe.description', 'file.pe.description'],
  Product: ['process.pe.product', 'dll.pe.product', 'file.pe.product'],
  Company: ['process.pe.company', 'dll.pe.company', 'file.pe.company'],
  FileVersion: ['process.pe.file_version', 'dll.pe.file_version', 'file.pe.file_version'],
  ParentImage: ['process.parent.executable'],
  ParentCommandLine: ['process.parent.command_line'],
  ParentProcessId: ['process.parent.pid'],
  ParentProcessGuid: ['process.parent.entity_id'],
  ParentUser: ['process.parent.user.name'],
  ImageLoaded: ['dll.path', 'file.path'],
  TargetFilename: ['file.path'],
  TargetObject: ['registry.path'],
  Details: ['registry.data.strings'],
  Protocol: ['network.transport'],
  SourceIp: ['source.ip'],
  SourcePort: ['source.port'],
  SourceHostname: ['source.domain'],
  DestinationIp: ['destination.ip'],
  DestinationPort: ['destination.port'],
  DestinationHostname: ['destination.domain'],
  QueryName: ['dns.question.name'],
  'query': ['dns.question.name'],
  'src_ip': ['source.ip'],
  'src_port': ['source.port'],
  'dst_ip': ['destination.ip'],
  'dst_port': ['destination.port'],
  'c-ip': ['source.ip', 'client.ip'],
  'c-uri': ['url.full', 'url.original'],
  'c-useragent': ['user_agent.original'],
  'cs-host': ['url.domain'],
  'cs-method': ['http.request.method'],
  'cs-referer': ['http.request.referrer'],
  'cs-uri-query': ['url.query'],
  'cs-uri-stem': ['url.path'],
  'cs-user-agent': ['user_agent.original'],
  'sc-status': ['http.response.status_code'],
}

/** Short names, which users type when they try a rule and simple collectors send. */
const shortNameAliases: AliasTable = {
  Computer: ['host', 'hostname'],
  User: ['user', 'username', 'user_name'],
  Image: ['process_path', 'process_name', 'process'],
  CommandLine: ['command_line', 'cmdline'],
  ProcessId: ['process_id', 'pid'],
  ParentImage: ['parent_process_path', 'parent_process_name', 'parent_process'],
  ParentCommandLine: ['parent_command_line'],
  ParentProcessId: ['parent_process_id', 'ppid'],
  TargetFilename: ['file_path'],
  TargetObject: ['registry_path'],
  SourceIp: ['source_ip', 'src_ip'],
  SourcePort: ['source_port', 'src_port'],
  DestinationIp: ['destination_ip', 'dst_ip'],
  DestinationPort: ['destination_port', 'dst_port'],
  QueryName: ['query_name'],
}

/** Kinds of Windows events that have field aliases. */
export type WindowsAliasKind = 'none' | 'process' | 'antivirus' | 'rpcFirewall'

/** The aliases that the shape of a Windows event adds to those of its kind. */
export type ShapeAliasKind = 'none' | 'ecs' | 'message'

/** Aliases to the Elastic Common Schema. */
export const ecsAliases: FieldAliases = joinTables(ecsFieldAliases)

/** Aliases for events of unknown shape: short names, then names of the Elastic Common Schema. */
export const generalAliases: FieldAliases = joinTables(shortNameAliases, ecsFieldAliases)

const aliasTables: { readonly [kind in WindowsAliasKind]: AliasTable } = { none: {}, process: processAliases,
  antivirus: antivirusAliases, rpcFirewall: rpcFirewallAliases }

/** The aliases of Windows events by kind and shape, joined once; those of the kind come first. */
export const windowsAliases: {
  readonly [kind in WindowsAliasKind]: { readonly [shape in ShapeAliasKind]: FieldAliases }
} = {
  none: { none: noAliases, ecs: ecsAliases, message: joinTables(messageAliases) },
  process: joinShapes('process'),
  antivirus: joinShapes('antivirus'),
  rpcFirewall: joinShapes('rpcFirewall'),
}

function joinShapes(kind: WindowsAliasKind): { readonly [shape in ShapeAliasKind]: FieldAliases } {
  const table = aliasTables[kind]
  return { none: joinTables(table), ecs: joinTables(table, ecsFieldAliases), message: joinTables(table, messageAliases) }
}

/** Aliases of one product. */
export function toFieldAliases(table: AliasTable): FieldAliases {
  return joinTables(table)
}

function joinTables(...tables: readonly AliasTable[]): FieldAliases {
  const joined = new Map<string, string[]>()
  for (const table of tables) {
    for (const [field, aliases] of Object.entries(table)) {
      joined.set(field, [...(joined.get(field) ?? []), ...aliases])
    }
  }
  return joined
}
