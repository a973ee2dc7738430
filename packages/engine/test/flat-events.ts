import fc from 'fast-check'
import type { EventObject } from '../src/index.ts'

/*
 * Random flat Windows events, or nearly: the fields that determine their kind are present, missing or of a wrong
 * type.
 */

const channels = [
  'Security', 'security', 'Microsoft-Windows-Sysmon/Operational', 'Linux-Sysmon/Operational', 'RPCFW', 'System',
  'Microsoft-Windows-Windows Defender/Operational', 'Nobody/Knows', '', 'x'.repeat(300),
]
const providers = [
  'Microsoft-Windows-Kernel-File', 'Microsoft-Windows-Sysmon', 'Microsoft-Windows-Security-Auditing', 'Nobody', '',
]
const eventIds = [1, '1', 12, 4688, '4688', 4688.5, 10, 1116, -1, '', '1x', true]
const eventTypes = ['CreateKey', 'createkey', 'SetValue', 'DeleteValue', 'INFO', 'AUDIT_SUCCESS', '']
const odd = fc.constantFrom<unknown>(null, true, 0, 1, [], ['Security'], {}, { a: 1 }, { '#text': 1 })

function member(
  name: string, values: readonly unknown[], presentWeight: number, absentWeight = 1,
): fc.Arbitrary<[string, unknown][]> {
  const value = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: odd })
  return fc.oneof(
    { weight: presentWeight, arbitrary: value.map((one): [string, unknown][] => [[name, one]]) },
    { weight: absentWeight, arbitrary: fc.constant<[string, unknown][]>([]) },
  )
}

export const nearlyFlatEvents: fc.Arbitrary<EventObject> = fc.tuple(
  member('Channel', channels, 4),
  member('EventID', eventIds, 8),
  member('Provider_Name', providers, 1),
  member('EventType', eventTypes, 1),
  member('SourceName', ['', 'Microsoft-Windows-Sysmon'], 1, 5),
  member('Hostname', ['', 'pc'], 1, 5),
  member('Computer', ['', 'pc'], 1),
  member('Image', ['who', 'me'], 2),
  member('image', ['who'], 1, 5),
  member('NewProcessName', ['who'], 1, 2),
  member('Message', ['who was it', 'me'], 1, 2),
  member('event', [{ code: 1 }], 1, 10),
).chain((members) => fc.shuffledSubarray(members.flat(), { minLength: members.flat().length }))
  .map((members) => Object.fromEntries(members))

/** Spells a name: each bit of a number is the case of a letter. */
export function spelled(name: string, at: number): string {
  return Array.from(name, (letter, place) => (
    ((at >> place) & 1) === 1 ? letter.toUpperCase() : letter.toLowerCase())).join('')
}
