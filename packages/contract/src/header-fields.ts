/** Fields of the header that Windows writes with each event, as Windows, NXLog and Winlogbeat name them. */
const names: ReadonlySet<string> = new Set([
  'Provider_Name', 'ProviderGuid', 'provider_guid', 'EventRecordID', 'RecordNumber', 'record_number', 'Level', 'Task', 'task', 'Opcode',
  'OpcodeValue', 'opcode', 'Version', 'Keywords', 'keywords', 'SeverityValue', 'Execution_ProcessID', 'Execution_ThreadID',
  'ExecutionProcessID', 'ThreadID', 'thread_id', 'Security_UserID', 'ActivityID', 'activity_id', 'SourceModuleName', 'SourceModuleType',
  'EventReceivedTime', 'UtcTime',
])

/** Groups that hold such a header, and what of them says more. */
const groups: ReadonlyMap<string, readonly string[]> = new Map([
  ['Event.System', ['EventID', 'Channel', 'Computer']],
  ['Event.RenderingInfo', ['Message']],
  ['winlog', ['event_data', 'user_data', 'event_id', 'channel', 'computer_name']],
  // What shippers add about themselves.
  ['agent', []], ['ecs', []], ['beat', []], ['input', []], ['@metadata', []],
])

/**
 * Tells whether a field belongs to the header of a record or to its shipper, and so says little about what happened. `path` is the
 * name of the field, with those of the objects around it before it, joined by dots.
 */
export function isHeaderField(path: string): boolean {
  for (const [group, telling] of groups) {
    if (path === group) return telling.length === 0
    if (path.startsWith(`${group}.`)) {
      const [member = ''] = path.slice(group.length + 1).split('.', 1)
      return !telling.includes(member)
    }
  }
  return path.startsWith('@') || names.has(path) || /guid$/i.test(path)
}
