/** A kind of Windows event: what its fields are filled with, see `FleetValues.fill`. */
export type WindowsTemplate = {
  /** How many of a thousand events are of this kind. */
  readonly weight: number
  readonly source: WindowsSource
  readonly eventId: number
  readonly task: number
  readonly version: number
  /** The first line of the message that Windows prints. */
  readonly title: string
  readonly data: { readonly [field: string]: string }
}

/** A provider of events and the channel that it writes to. */
export type WindowsSource = {
  readonly channel: string
  readonly provider: string
  readonly guid: string
  readonly keywords: string
  /** The process that writes: its pid is the same for all events of a host, here of the fleet. */
  readonly processId: number
  readonly userId: string | undefined
}

const sysmon: WindowsSource = {
  channel: 'Microsoft-Windows-Sysmon/Operational', provider: 'Microsoft-Windows-Sysmon', guid: '{5770385f-c22a-43e0-bf4c-06f5698ffbd9}',
  keywords: '0x8000000000000000', processId: 3412, userId: 'S-1-5-18',
}
const security: WindowsSource = {
  channel: 'Security', provider: 'Microsoft-Windows-Security-Auditing', guid: '{54849625-5478-4994-a5ba-3e3b0328c30d}',
  keywords: '0x8020000000000000', processId: 4, userId: undefined,
}
const powershell: WindowsSource = {
  channel: 'Microsoft-Windows-PowerShell/Operational', provider: 'Microsoft-Windows-PowerShell',
  guid: '{a0c1853b-5c40-4b15-8766-3cf1c58f985a}',
  keywords: '0x0', processId: 7120, userId: 'S-1-5-21-1004336348-1177238915-682003330-512',
}
const system: WindowsSource = {
  channel: 'System', provider: 'Service Control Manager', guid: '{555908d1-a6d7-4695-8e1e-26931d2012f4}',
  keywords: '0x8080000000000000', processId: 712, userId: undefined,
}

const hashes = 'SHA1={sha1},MD5={md5},SHA256={sha256},IMPHASH={md5}'
const sysmonHead = { RuleName: '-', UtcTime: '{utcTime}', ProcessGuid: '{braced}', ProcessId: '{pid}' } as const
const subject = {
  SubjectUserSid: 'S-1-5-21-{sidTail}', SubjectUserName: '{user}', SubjectDomainName: 'CORP', SubjectLogonId: '{logonId}',
} as const

/** Process starts are 11 in 100, dlls 18, registry 16, network and DNS 23, files 13, logons 7. */
export const windowsTemplates: readonly WindowsTemplate[] = [
  {
    weight: 80, source: sysmon, eventId: 1, task: 1, version: 5, title: 'Process Create',
    data: {
      ...sysmonHead, Image: '{image}', FileVersion: '{version}', Description: '{wordOfImage}', Product: '{word}', Company: '{company}',
      OriginalFileName: '{fileOfImage}', CommandLine: '{createCommandLine}', CurrentDirectory: '{userFolder}\\', User: '{account}',
      LogonGuid: '{braced}', LogonId: '{logonId}', TerminalSessionId: '1', IntegrityLevel: 'Medium', Hashes: hashes,
      ParentProcessGuid: '{braced}', ParentProcessId: '{pid}', ParentImage: '{parentImage}', ParentCommandLine: '{parentCommandLine}',
      ParentUser: '{account}',
    },
  },
  {
    weight: 30, source: security, eventId: 4688, task: 13_312, version: 2, title: 'A new process has been created.',
    data: {
      ...subject, NewProcessId: '{hexPid}', NewProcessName: '{image}', TokenElevationType: '%%1938', ProcessId: '{hexPid}',
      CommandLine: '{createCommandLine}', TargetUserSid: 'S-1-0-0', TargetUserName: '-', TargetDomainName: '-', TargetLogonId: '0x0',
      ParentProcessName: '{parentImage}', MandatoryLabel: 'S-1-16-8192',
    },
  },
  {
    weight: 45, source: sysmon, eventId: 5, task: 5, version: 3, title: 'Process terminated',
    data: { ...sysmonHead, Image: '{image}', User: '{account}' },
  },
  {
    weight: 110, source: sysmon, eventId: 3, task: 3, version: 5, title: 'Network connection detected',
    data: {
      ...sysmonHead, Image: '{clientImage}', User: '{account}', Protocol: 'tcp', Initiated: 'true', SourceIsIpv6: 'false',
      SourceIp: '{privateIp}',
      SourceHostname: '{peer}', SourcePort: '{port}', SourcePortName: '-', DestinationIsIpv6: 'false', DestinationIp: '{publicIp}',
      DestinationHostname: '{domain}', DestinationPort: '{servicePort}', DestinationPortName: '-',
    },
  },
  {
    weight: 30, source: security, eventId: 5156, task: 12_810, version: 1,
    title: 'The Windows Filtering Platform has permitted a connection.',
    data: {
      ProcessID: '{pid}', Application: '\\device\\harddiskvolume3\\{word}\\{token}\\{word}.exe', Direction: '%%14593',
      SourceAddress: '{privateIp}',
      SourcePort: '{port}', DestAddress: '{publicIp}', DestPort: '{servicePort}', Protocol: '6', FilterRTID: '{number}',
      LayerName: '%%14611',
      LayerRTID: '48', RemoteUserID: 'S-1-0-0', RemoteMachineID: 'S-1-0-0',
    },
  },
  {
    weight: 180, source: sysmon, eventId: 7, task: 7, version: 3, title: 'Image loaded',
    data: {
      ...sysmonHead, Image: '{image}', ImageLoaded: '{loadedImage}', FileVersion: '{version}', Description: '{word} {word}',
      Product: '{word}',
      Company: '{company}', OriginalFileName: '{word}.dll', Hashes: hashes, Signed: 'true', Signature: '{company}',
      SignatureStatus: 'Valid', User: '{account}',
    },
  },
  {
    weight: 130, source: sysmon, eventId: 11, task: 11, version: 2, title: 'File created',
    data: { ...sysmonHead, Image: '{image}', TargetFilename: '{file}', CreationUtcTime: '{earlier}', User: '{account}' },
  },
  {
    weight: 110, source: sysmon, eventId: 13, task: 13, version: 2, title: 'Registry value set',
    data: {
      RuleName: '-', EventType: 'SetValue', UtcTime: '{utcTime}', ProcessGuid: '{braced}', ProcessId: '{pid}', Image: '{image}',
      TargetObject: '{registryKey}', Details: '{details}', User: '{account}',
    },
  },
  {
    weight: 50, source: sysmon, eventId: 12, task: 12, version: 2, title: 'Registry object added or deleted',
    data: {
      RuleName: '-', EventType: 'CreateKey', UtcTime: '{utcTime}', ProcessGuid: '{braced}', ProcessId: '{pid}', Image: '{image}',
      TargetObject: '{registryKey}', User: '{account}',
    },
  },
  {
    weight: 90, source: sysmon, eventId: 22, task: 22, version: 5, title: 'Dns query',
    data: {
      ...sysmonHead, QueryName: '{domain}', QueryStatus: '0', QueryResults: '::ffff:{publicIp};::ffff:{publicIp};',
      Image: '{clientImage}', User: '{account}',
    },
  },
  {
    weight: 35, source: sysmon, eventId: 10, task: 10, version: 3, title: 'Process accessed',
    data: {
      RuleName: '-', UtcTime: '{utcTime}', SourceProcessGUID: '{braced}', SourceProcessId: '{pid}', SourceThreadId: '{pid}',
      SourceImage: '{parentImage}',
      TargetProcessGUID: '{braced}', TargetProcessId: '{pid}', TargetImage: '{image}', GrantedAccess: '0x1400',
      CallTrace: 'C:\\Windows\\SYSTEM32\\ntdll.dll{address}|C:\\Windows\\System32\\KERNELBASE.dll{address}|'
        + '{programFolder}\\{word}.dll{address}|C:\\Windows\\System32\\KERNEL32.DLL{address}',
      SourceUser: '{account}', TargetUser: '{account}',
    },
  },
  {
    weight: 10, source: sysmon, eventId: 17, task: 17, version: 1, title: 'Pipe Created',
    data: {
      RuleName: '-', EventType: 'CreatePipe', UtcTime: '{utcTime}', ProcessGuid: '{braced}', ProcessId: '{pid}',
      PipeName: '\\mojo.{pid}.{number}.{token}', Image: '{image}', User: '{account}',
    },
  },
  {
    weight: 5, source: sysmon, eventId: 23, task: 23, version: 5, title: 'File Delete archived',
    data: {
      ...sysmonHead, User: '{account}', Image: '{image}', TargetFilename: '{file}', Hashes: hashes, IsExecutable: 'false', Archived: 'true',
    },
  },
  {
    weight: 40, source: security, eventId: 4624, task: 12_544, version: 2, title: 'An account was successfully logged on.',
    data: {
      SubjectUserSid: 'S-1-0-0', SubjectUserName: '-', SubjectDomainName: '-', SubjectLogonId: '0x0', TargetUserSid: 'S-1-5-21-{sidTail}',
      TargetUserName: '{user}', TargetDomainName: 'CORP', TargetLogonId: '{logonId}', LogonType: '3', LogonProcessName: 'Kerberos',
      AuthenticationPackageName: 'Kerberos', WorkstationName: '{peer}', LogonGuid: '{braced}', TransmittedServices: '-',
      LmPackageName: '-', KeyLength: '0',
      ProcessId: '0x0', ProcessName: '-', IpAddress: '{privateIp}', IpPort: '{port}', ImpersonationLevel: '%%1833',
    },
  },
  {
    weight: 10, source: security, eventId: 4634, task: 12_545, version: 0, title: 'An account was logged off.',
    data: {
      TargetUserSid: 'S-1-5-21-{sidTail}', TargetUserName: '{user}', TargetDomainName: 'CORP', TargetLogonId: '{logonId}',
      LogonType: '3',
    },
  },
  {
    weight: 10, source: security, eventId: 4672, task: 12_548, version: 0, title: 'Special privileges assigned to new logon.',
    data: { ...subject, PrivilegeList: 'SeSecurityPrivilege\n\t\t\tSeBackupPrivilege\n\t\t\tSeRestorePrivilege' },
  },
  {
    weight: 5, source: { ...security, keywords: '0x8010000000000000' }, eventId: 4625, task: 12_544, version: 0,
    title: 'An account failed to log on.',
    data: {
      ...subject, TargetUserSid: 'S-1-0-0', TargetUserName: '{peer}', TargetDomainName: 'CORP', Status: '0xc000006d',
      FailureReason: '%%2313', SubStatus: '0xc000006a', LogonType: '3', LogonProcessName: 'NtLmSsp', AuthenticationPackageName: 'NTLM',
      WorkstationName: '{peer}', ProcessId: '0x0', ProcessName: '-', IpAddress: '{privateIp}', IpPort: '{port}',
    },
  },
  {
    weight: 10, source: powershell, eventId: 4104, task: 2, version: 1, title: 'Creating Scriptblock text (1 of 1):',
    data: {
      MessageNumber: '1', MessageTotal: '1', ScriptBlockText: '{script}', ScriptBlockId: '{guid}',
      Path: '{programFolder}\\{word}-{token}.ps1',
    },
  },
  {
    weight: 8, source: powershell, eventId: 4103, task: 106, version: 1, title: 'CommandInvocation',
    data: {
      ContextInfo: '        Severity = Informational\r\n        Host Name = ConsoleHost\r\n        Host Version = '
        + '5.1.19041.4522\r\n        Host ID = {guid}\r\n        Host Application = '
        + 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe -File {programFolder}\\{word}.ps1 '
        + '-Ticket {number}\r\n        Engine Version = 5.1.19041.4522\r\n        Runspace ID = {guid}\r\n     '
        + '   Pipeline ID = {number}\r\n        Command Name = Get-{word}\r\n        Command Type = Cmdlet\r\n '
        + '       Script Name = {programFolder}\\{word}.ps1\r\n        Sequence Number = {number}\r\n        '
        + 'User = {account}\r\n',
      UserData: '', Payload: 'CommandInvocation(Get-{word}): "Get-{word}"\r\nParameterBinding(Get-{word}): name="Name"; '
        + 'value="{token}"\r\n',
    },
  },
  {
    weight: 7, source: system, eventId: 7036, task: 0, version: 0, title: 'A service changed its state.',
    data: { param1: '{word} {word} Service {token}', param2: 'running', Binary: '{hex32}{hex32}' },
  },
]
