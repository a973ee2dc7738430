import { expect, test } from 'vitest'
import { isHeaderField } from './header-fields.ts'

test.for<[path: string, isHeader: boolean]>([
  ['CommandLine', false], ['EventID', false], ['Channel', false], ['Keywords', true], ['Execution_ThreadID', true], ['ProcessGuid', true],
  ['Event.System.Keywords', true], ['Event.System.EventID', false], ['Event.System.EventID.#text', false], ['Event.EventData.Level', false],
  ['winlog.opcode', true], ['winlog.event_data.Image', false], ['winlog.event_id', false], ['agent', true], ['agent.name', true],
  ['agents', false], ['user_agent.name', false], ['@timestamp', true], ['level', false], ['', false],
])('%s: %s', ([path, isHeader]) => {
  expect(isHeaderField(path)).toBe(isHeader)
})
