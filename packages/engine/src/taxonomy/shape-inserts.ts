import type { EventObject } from '../event/event.ts'
import { readOwnText, readOwnValue } from './read-own-value.ts'
import { addData, addRemainingFields, buildHeaderFields, toInteger } from './windows-fields.ts'
import type { Fields } from './windows-fields.ts'

/** The keys under which Fluent Bit and Fluentd list the data of a Windows event, without its names. */
export const insertsKeys = ['StringInserts', 'EventData'] as const

const subject = 'SubjectUserSid SubjectUserName SubjectDomainName SubjectLogonId'
const target = 'TargetUserSid TargetUserName TargetDomainName'
const logon = 'LogonType LogonProcessName AuthenticationPackageName WorkstationName'
const member = `MemberName MemberSid TargetUserName TargetDomainName TargetSid ${subject} PrivilegeList`

/**
 * The names of the data by channel and event, in the order of the newest version; older ones are the beginning of it. They end with
 * the last one that a public rule names: each byte here is in every page that runs rules.
 */
const dataNames: ReadonlyMap<string, readonly string[]> = new Map(Object.entries({
  'security 4624': `${subject} ${target} TargetLogonId ${logon} LogonGuid TransmittedServices LmPackageName KeyLength ProcessId `
    + 'ProcessName IpAddress IpPort ImpersonationLevel RestrictedAdminMode TargetOutboundUserName',
  'security 4625': `${subject} ${target} Status FailureReason SubStatus ${logon} TransmittedServices LmPackageName KeyLength ProcessId `
    + 'ProcessName IpAddress IpPort',
  'security 4648': `${subject} LogonGuid TargetUserName TargetDomainName TargetLogonGuid TargetServerName TargetInfo ProcessId ProcessName `
    + 'IpAddress IpPort',
  'security 4656': `${subject} ObjectServer ObjectType ObjectName HandleId TransactionId AccessList AccessReason AccessMask PrivilegeList `
    + 'RestrictedSidCount ProcessId ProcessName',
  'security 4672': `${subject} PrivilegeList`,
  'security 4688': `${subject} NewProcessId NewProcessName TokenElevationType ProcessId CommandLine ${target} TargetLogonId `
    + 'ParentProcessName MandatoryLabel',
  'security 4697': `${subject} ServiceName ServiceFileName ServiceType ServiceStartType ServiceAccount`,
  'security 4719': `${subject} CategoryId SubcategoryId SubcategoryGuid AuditPolicyChanges`,
  'security 4720': `TargetUserName TargetDomainName TargetSid ${subject} PrivilegeList SamAccountName`,
  'security 4728': member,
  'security 4732': member,
  'security 4768': 'TargetUserName TargetDomainName TargetSid ServiceName ServiceSid TicketOptions Status TicketEncryptionType PreAuthType '
    + 'IpAddress IpPort CertIssuerName CertSerialNumber CertThumbprint',
  'security 4769': 'TargetUserName TargetDomainName ServiceName ServiceSid TicketOptions TicketEncryptionType IpAddress IpPort Status '
    + 'LogonGuid TransmittedServices',
  'security 4776': 'PackageName TargetUserName Workstation Status',
  'security 5140': `${subject} ObjectType IpAddress IpPort ShareName ShareLocalPath AccessMask AccessList`,
  'security 5145': `${subject} ObjectType IpAddress IpPort ShareName ShareLocalPath RelativeTargetName AccessMask AccessList AccessReason`,
  'system 7045': 'ServiceName ImagePath ServiceType StartType AccountName',
  'microsoft-windows-powershell/operational 4103': 'ContextInfo UserData Payload',
  'microsoft-windows-powershell/operational 4104': 'MessageNumber MessageTotal ScriptBlockText ScriptBlockId Path',
}).map(([event, names]) => [event, names.split(' ')]))

const sysmon = 'Microsoft-Windows-Sysmon'

/** Whether a flat event comes from `winevtlog` of Fluent Bit or `windows_eventlog2` of Fluentd. */
export function isInsertsShape(event: EventObject): boolean {
  return readOwnText(event, 'ProviderName') !== undefined && insertsKeys.some((name) => Array.isArray(readOwnValue(event, name)))
}

/**
 * Reads a Windows event whose data is a list without names: they come from the message of Sysmon, which prints them, or from the
 * table above. The data of other events is `Data`.
 */
export function readInsertsShape(event: EventObject): Fields {
  const channel = readOwnText(event, 'Channel')
  const provider = readOwnText(event, 'ProviderName')
  const eventId = toInteger(readOwnValue(event, 'EventID'))
  const fields = buildHeaderFields({
    timestamp: readOwnValue(event, '@timestamp') ?? readOwnValue(event, 'TimeCreated'), eventId, channel, provider,
    computer: readOwnValue(event, 'Computer'),
    recordId: readOwnValue(event, 'EventRecordID'),
    level: readOwnValue(event, 'Level'),
    task: readOwnValue(event, 'Task'),
    opcode: readOwnValue(event, 'Opcode'),
    version: readOwnValue(event, 'Version'),
    keywords: readOwnValue(event, 'Keywords'),
    processId: readOwnValue(event, 'ProcessID'),
    threadId: readOwnValue(event, 'ThreadID'),
    userId: readOwnValue(event, 'UserID'),
  })
  const message = readOwnText(event, 'Message') ?? readOwnText(event, 'Description') ?? ''
  if (provider === sysmon) addMessageData(fields, message)
  else addInserts(fields, event, dataNames.get(`${channel?.toLowerCase()} ${eventId}`))
  if (message !== '') fields['Message'] = message
  addRemainingFields(fields, event, [...insertsKeys, 'ProviderName', 'ProcessID', 'ThreadID', 'UserID', 'Description', 'TimeCreated'])
  return fields
}

/** The lines `Name: value` of a message of Sysmon, behind its title. */
function addMessageData(fields: Fields, message: string): void {
  for (const [, name, value] of message.matchAll(/^(\w+): ?(.*?)\r?$/gm)) addData(fields, name!, value)
}

function addInserts(fields: Fields, event: EventObject, names: readonly string[] | undefined): void {
  const inserts: unknown = insertsKeys.map((name) => readOwnValue(event, name)).find((value) => Array.isArray(value))
  if (!Array.isArray(inserts)) return
  for (const [i, value] of inserts.entries()) addData(fields, names?.[i] ?? 'Data', value)
}
