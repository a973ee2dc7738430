// The fields of Windows events: names from the schema that Sysmon prints, and those that collectors add.

/** Fields of every Sysmon event, and those that collectors add to any event. */
const commonFields = `EventID Channel Computer ComputerName Hostname Provider_Name Keywords Level Opcode Task Version User RuleName
  UtcTime ProcessGuid ProcessId ProcessID Image Description Company Product FileVersion OriginalFileName IntegrityLevel CommandLine
  ParentImage ParentCommandLine ParentUser ParentProcessId ParentProcessGuid CurrentDirectory LogonId LogonGuid TerminalSessionId
  Hashes EventType Signature Signed SignatureStatus`

/** Fields of one category, besides the common ones. */
const categoryFields: { readonly [category: string]: string } = {
  process_creation: `GrandParentImage GrandparentCommandLine GrandParentCommandLine Imphash md5 sha1 sha256 Hash
    ProcessVersionInfo`,
  image_load: 'ImageLoaded Imphash md5 sha1 sha256',
  file_event: 'TargetFilename CreationUtcTime MagicHeader',
  file_delete: 'TargetFilename IsExecutable Archived',
  file_change: 'TargetFilename CreationUtcTime PreviousCreationUtcTime',
  network_connection: `Protocol Initiated SourceIsIpv6 SourceIp SourceHostname SourcePort SourcePortName DestinationIsIpv6
    DestinationIp DestinationHostname DestinationPort DestinationPortName`,
  registry_set: 'TargetObject Details NewName',
  registry_add: 'TargetObject NewName',
  registry_delete: 'TargetObject Details NewName',
  registry_rename: 'TargetObject NewName Details',
  registry_event: 'TargetObject Details NewName',
  dns_query: 'QueryName QueryStatus QueryResults record_type answer',
  pipe_created: 'PipeName',
  process_access: `SourceProcessGUID SourceProcessId SourceThreadId SourceImage TargetProcessGUID TargetProcessId TargetImage
    GrantedAccess CallTrace SourceUser TargetUser SourceCommandLine CallTraceExtended`,
}

const splitNames = (text: string): readonly string[] => text.trim().split(/\s+/)

const fieldsByCategory: ReadonlyMap<string, ReadonlySet<string>> = new Map(Object.entries(categoryFields).map(([category, fields]) => {
  return [category, new Set([...splitNames(commonFields), ...splitNames(fields)])]
}))

/** Returns the fields of a Windows category; undefined when the list is not complete. */
export function getCategoryFields(category: string): ReadonlySet<string> | undefined {
  return fieldsByCategory.get(category)
}

/** Fields that hold the full path of a program. */
export const programFields: ReadonlySet<string> = new Set(
  ['Image', 'ParentImage', 'SourceImage', 'TargetImage', 'GrandParentImage'],
)

/** Fields that hold the full path of a file. */
export const pathFields: ReadonlySet<string> = new Set([...programFields, 'ImageLoaded', 'TargetFilename', 'CurrentDirectory'])

/** Fields that hold a host name, without scheme and path. */
export const hostFields: ReadonlySet<string> = new Set(
  ['cs-host', 'r-dns', 'QueryName', 'DestinationHostname', 'SourceHostname', 'dns.question.name'],
)
