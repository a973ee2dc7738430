import type { JsonValue } from './fleet-values.ts'
import type { WindowsTemplate } from './windows-templates.ts'

/** A Windows event before a collector writes it in its shape. */
export type WindowsEvent = {
  readonly template: WindowsTemplate
  readonly time: string
  readonly computer: string
  readonly recordId: number
  readonly threadId: number
  /** An id that the collector gives to its delivery. */
  readonly deliveryId: string
  readonly data: { readonly [field: string]: string }
}

type JsonObject = { readonly [name: string]: JsonValue }

/** The ways in which collectors write a Windows event, by name. */
export const windowsShapes = {
  flat: writeFlat,
  'winlogbeat 7': writeWinlogbeat7,
  'winlogbeat 8, ECS': writeWinlogbeat8,
  evtx_dump: writeEvtxDump,
  NXLog: writeNxlog,
  'Windows Event Export': writeEventExport,
} as const

export type WindowsShape = keyof typeof windowsShapes

/** Fields named as rules name them. */
function writeFlat({ template: { source, eventId, task, version }, ...event }: WindowsEvent): JsonObject {
  return {
    '@timestamp': event.time, EventID: eventId, Channel: source.channel, Provider_Name: source.provider, Computer: event.computer,
    EventRecordID: event.recordId, Level: 4, Task: task, Opcode: 0, Version: version, Keywords: source.keywords,
    Execution_ProcessID: source.processId, Execution_ThreadID: event.threadId,
    ...(source.userId === undefined ? {} : { Security_UserID: source.userId }),
    ...event.data,
  }
}

/** What winlogbeat 7 sends without processors: numbers as numbers, the agent by its host. */
function writeWinlogbeat7(event: WindowsEvent): JsonObject {
  const { template: { source, eventId }, time, computer, deliveryId } = event
  return {
    '@timestamp': time,
    '@metadata': { beat: 'winlogbeat', type: '_doc', version: '7.17.9' },
    event: { code: eventId, provider: source.provider, kind: 'event', action: event.template.title, created: time },
    log: { level: 'information' },
    message: printMessage(event),
    host: { name: computer },
    winlog: winlogOf(event, eventId),
    agent: { name: computer, type: 'winlogbeat', version: '7.17.9', hostname: computer, ephemeral_id: deliveryId, id: deliveryId },
    ecs: { version: '1.12.0' },
  }
}

const windowsOs = { family: 'windows', type: 'windows', build: '19045.4780', name: 'Windows 10 Enterprise' }

/** What winlogbeat 8 sends, with the ECS fields of its modules beside `winlog`. */
function writeWinlogbeat8(event: WindowsEvent): JsonObject {
  const { template: { source, eventId }, time, computer, deliveryId } = event
  return {
    '@timestamp': time,
    ecs: { version: '8.0.0' },
    agent: { type: 'winlogbeat', version: '8.15.0', ephemeral_id: deliveryId, id: deliveryId, name: computer },
    event: {
      kind: 'event', code: String(eventId), provider: source.provider, action: event.template.title, module: 'sysmon', created: time,
    },
    host: { name: computer, hostname: computer, os: windowsOs },
    log: { level: 'information' },
    ...ecsFields(event.data),
    message: printMessage(event),
    winlog: winlogOf(event, String(eventId)),
  }
}

function winlogOf({ template: { source, task, version }, ...event }: WindowsEvent, eventId: JsonValue): JsonObject {
  return {
    channel: source.channel, computer_name: event.computer, event_id: eventId, provider_name: source.provider, provider_guid: source.guid,
    record_id: event.recordId, task: String(task), version, opcode: 'Info', api: 'wineventlog',
    process: { pid: source.processId, thread: { id: event.threadId } },
    ...(source.userId === undefined
      ? { keywords: ['Audit Success'] }
      : { user: { identifier: source.userId, name: 'SYSTEM', domain: 'NT AUTHORITY', type: 'User' } }),
    event_data: event.data,
  }
}

/** The fields of ECS that the modules of winlogbeat make of the data, as far as the event has them. */
function ecsFields(data: WindowsEvent['data']): JsonObject {
  const { Image, CommandLine, ProcessGuid, ProcessId, ParentImage, ParentCommandLine, User, QueryName, TargetFilename } = data
  const { DestinationIp, DestinationHostname, DestinationPort, SourceIp, SourcePort } = data
  const process = {
    ...(Image === undefined ? {} : { executable: Image, name: fileName(Image) }),
    ...(ProcessGuid === undefined ? {} : { entity_id: ProcessGuid, pid: Number(ProcessId) }),
    ...(CommandLine === undefined ? {} : { command_line: CommandLine, args: CommandLine.split(' ') }),
    ...(ParentImage === undefined ? {} : { parent: { executable: ParentImage, command_line: ParentCommandLine ?? '' } }),
  }
  return {
    ...(Object.keys(process).length === 0 ? {} : { process }),
    ...(User === undefined ? {} : { user: { domain: User.split('\\')[0]!, name: User.split('\\')[1]! } }),
    ...(QueryName === undefined ? {} : { dns: { question: { name: QueryName } }, network: { protocol: 'dns' } }),
    ...(TargetFilename === undefined ? {} : { file: { path: TargetFilename, name: fileName(TargetFilename) } }),
    ...(DestinationIp === undefined
      ? {}
      : { destination: { ip: DestinationIp, domain: DestinationHostname!, port: Number(DestinationPort) } }),
    ...(SourceIp === undefined ? {} : { source: { ip: SourceIp, port: Number(SourcePort) } }),
  }
}

/** The JSON of the tool evtx_dump: elements of the XML as objects, attributes below `#attributes`. */
function writeEvtxDump({ template: { source, eventId, task, version }, ...event }: WindowsEvent): JsonObject {
  return {
    Event: {
      '#attributes': { xmlns: 'http://schemas.microsoft.com/win/2004/08/events/event' },
      System: {
        Provider: { '#attributes': { Name: source.provider, Guid: source.guid } },
        EventID: eventId, Version: version, Level: 4, Task: task, Opcode: 0, Keywords: source.keywords,
        TimeCreated: { '#attributes': { SystemTime: event.time } },
        EventRecordID: event.recordId, Correlation: null,
        Execution: { '#attributes': { ProcessID: source.processId, ThreadID: event.threadId } },
        Channel: source.channel, Computer: event.computer,
        Security: source.userId === undefined ? null : { '#attributes': { UserID: source.userId } },
      },
      EventData: event.data,
    },
  }
}

/** Flat JSON of NXLog's `im_msvistalog` with `to_json`: header and data side by side, the message beside them. */
function writeNxlog(event: WindowsEvent): JsonObject {
  const { template: { source, eventId, task, version }, time } = event
  return {
    EventTime: time.replace('T', ' ').slice(0, 19), Hostname: event.computer, Keywords: -9_223_372_036_854_775_000, EventType: 'INFO',
    SeverityValue: 2,
    Severity: 'INFO', EventID: eventId, SourceName: source.provider, ProviderGuid: source.guid.toUpperCase(), Version: version,
    Task: task, OpcodeValue: 0,
    RecordNumber: event.recordId, ExecutionProcessID: source.processId, ExecutionThreadID: event.threadId, Channel: source.channel,
    Domain: 'NT AUTHORITY',
    AccountName: 'SYSTEM', UserID: 'S-1-5-18', AccountType: 'User', Message: printMessage(event).replaceAll('\n', '\r\n'),
    Category: event.template.title, Opcode: 'Info',
    // The event's own type comes after NXLog's and takes its place, as in what NXLog writes.
    ...event.data,
    EventReceivedTime: time.replace('T', ' ').slice(0, 19), SourceModuleName: 'eventlog', SourceModuleType: 'im_msvistalog',
    '@timestamp': time,
  }
}

/** What a PowerShell script that exports Windows events writes: the header in texts, the message, the data. */
function writeEventExport(event: WindowsEvent): JsonObject {
  const { template: { source, eventId, task }, time } = event
  return {
    SourceName: source.provider, ProviderGuid: source.guid, Level: '4', Keywords: source.keywords, Channel: source.channel,
    Hostname: event.computer,
    TimeCreated: time, '@timestamp': time, EventID: eventId, Message: printMessage(event).replaceAll('\n', '\r\n'), Task: String(task),
    ...event.data,
  }
}

/** The message as Windows prints it: the title, then the data line by line. */
function printMessage({ template: { title }, data }: WindowsEvent): string {
  return [`${title}:`, ...Object.entries(data).map(([name, value]) => `${name}: ${value}`)].join('\n')
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('\\') + 1)
}
