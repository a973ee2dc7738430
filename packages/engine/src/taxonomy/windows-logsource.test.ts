import { expect, test } from 'vitest'
import { printLogsources } from '../../test/print-logsources.ts'
import type { EventObject } from '../event/event.ts'
import { classifyWindowsEvent } from './windows-logsource.ts'

const sysmon = 'Microsoft-Windows-Sysmon/Operational'
const powershell = 'Microsoft-Windows-PowerShell/Operational'
const defender = 'Microsoft-Windows-Windows Defender/Operational'
const fileTrace = 'Microsoft-Windows-Kernel-File'

function logsourcesOf(fields: EventObject): string {
  return printLogsources(classifyWindowsEvent(fields).logsources)
}

test.for<[channel: string, eventId: unknown, logsources: string]>([
  [sysmon, 1, 'windows:process_creation:sysmon'],
  [sysmon, '1', 'windows:process_creation:sysmon'],
  [sysmon, 4, 'windows:sysmon_status:sysmon'],
  [sysmon, 16, 'windows:sysmon_status:sysmon'],
  [sysmon, 12, 'windows:registry_event:sysmon'],
  [sysmon, 13, 'windows:registry_event:sysmon windows:registry_set:sysmon'],
  [sysmon, 14, 'windows:registry_event:sysmon windows:registry_rename:sysmon'],
  [sysmon, 18, 'windows:pipe_created:sysmon'],
  [sysmon, 21, 'windows:wmi_event:sysmon'],
  [sysmon, 24, 'windows:clipboard_capture:sysmon windows:clipboard_change:sysmon'],
  [sysmon, 255, 'windows:sysmon_error:sysmon'],
  [sysmon, 999, 'windows::sysmon'],
  [sysmon, { '#text': 1 }, 'windows::sysmon'],
  [sysmon, undefined, 'windows::sysmon'],
  ['MICROSOFT-WINDOWS-SYSMON/OPERATIONAL', 1, 'windows:process_creation:sysmon'],
  ['Security', 4688, 'windows:process_creation:security'],
  ['security', 4624, 'windows::security'],
  ['System', 7045, 'windows::system'],
  [powershell, 4103, 'windows:ps_module:powershell'],
  ['PowerShellCore/Operational', 4104, 'windows:ps_script:powershell'],
  ['Windows PowerShell', 400, 'windows:ps_classic_start:powershell-classic'],
  ['Windows PowerShell', 600, 'windows:ps_classic_provider_start:powershell-classic'],
  ['Windows PowerShell', 800, 'windows:ps_classic_script:powershell-classic'],
  [defender, 1116, 'windows:antivirus:windefend'],
  [defender, 5007, 'windows::windefend'],
  ['Microsoft-ServiceBus-Client/Admin', 1, 'windows::microsoft-servicebus-client windows::servicebus-client'],
  ['Linux-Sysmon/Operational', 1, 'linux:process_creation:sysmon'],
  ['Linux-Sysmon/Operational', 11, 'linux:file_event:sysmon'],
  ['RPCFW', 3, 'windows:: rpc_firewall:application:'],
  ['A channel that nobody knows', 1, 'windows::'],
  ['constructor', 1, 'windows::'],
  ['x'.repeat(1_000_000), 1, 'windows::'],
])('%.40s %j is %s', ([channel, eventId, logsources]) => {
  expect(logsourcesOf({ Channel: channel, EventID: eventId })).toBe(logsources)
})

test.for<[eventType: unknown, logsources: string]>([
  ['CreateKey', 'windows:registry_event:sysmon windows:registry_add:sysmon'],
  ['DeleteKey', 'windows:registry_event:sysmon windows:registry_delete:sysmon'],
  ['deletevalue', 'windows:registry_event:sysmon windows:registry_delete:sysmon'],
  ['INFO', 'windows:registry_event:sysmon'],
  [null, 'windows:registry_event:sysmon'],
  [{}, 'windows:registry_event:sysmon'],
])('Sysmon 12 with EventType %j is %s', ([eventType, logsources]) => {
  expect(logsourcesOf({ Channel: sysmon, EventID: 12, EventType: eventType })).toBe(logsources)
})

test.for<[title: string, fields: EventObject, logsources: string]>([
  ['of a provider with one channel', { Provider_Name: 'Microsoft-Windows-Sysmon', EventID: 3 },
    'windows:network_connection:sysmon'],
  ['of a provider with several', { Provider_Name: 'Microsoft-Windows-PowerShell', EventID: 4104 }, 'windows::'],
  ['of the file trace, opening', { Provider_Name: fileTrace, EventID: 12 }, 'windows:file_access:'],
  ['of the file trace, renaming', { Provider_Name: fileTrace, EventID: 27 }, 'windows:file_rename:'],
  ['of the file trace, reading', { Provider_Name: fileTrace, EventID: 15 }, 'windows::'],
  ['whose channel is no text', { Channel: 5, EventID: 1 }, 'windows::'],
])('classifies an event %s by its provider', ([, fields, logsources]) => {
  expect(logsourcesOf(fields)).toBe(logsources)
})

test('returns the same array for the same kind of event', () => {
  const [first, second] = ['A', 'B'].map((image) => classifyWindowsEvent({ Channel: sysmon, EventID: 1, Image: image }))
  expect(first?.logsources).toBe(second?.logsources)
})
