import { Engine, compileRules } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import { describe, expect, test } from 'vitest'
import { createRuleTransform } from './apply-pipelines.ts'
import { parsePipeline } from './parse-pipeline.ts'
import { printTaxonomyPipeline, taxonomyShapes } from './taxonomy-pipeline.ts'
import type { TaxonomyShape } from './taxonomy-pipeline.ts'

const sysmon = 'Microsoft-Windows-Sysmon/Operational'

const print = (logsource: string, selection: string): string => `title: Rule
logsource: { ${logsource} }
detection: { selection: { ${selection} }, condition: selection }
`

function countMatches(text: string, event: EventObject, shape?: TaxonomyShape): number {
  const transform = shape && createRuleTransform([parsePipeline(printTaxonomyPipeline(shape))])
  const { ruleSet } = compileRules([{ path: 'rule.yml', text }], transform === undefined ? {} : { transform })
  // Without its own taxonomy, the engine knows only what the printed one has put into the rule.
  return new Engine(ruleSet, shape === undefined ? {} : { taxonomy: 'none', lenient: true }).push([event]).length
}

const cmd = { Image: 'C:\\cmd.exe' }
const registry = { Channel: sysmon, TargetObject: 'a' }
const defender = { Channel: 'Microsoft-Windows-Windows Defender/Operational', EventID: 1116, ThreatName: 'x' }
const script = { Channel: 'Microsoft-Windows-PowerShell/Operational', EventID: 4103, a: 1 }
const named = { _logsource: { product: 'x' }, username: 'ann', destination: { ip: '192.0.2.7' } }
const audited = { Channel: 'Security', EventID: 4688, NewProcessName: 'C:\\cmd.exe', SubjectUserName: 'ann', ProcessId: '0x4' }

describe('the printed taxonomy does to rules what the engine does to events', () => {
  const process = 'product: windows, category: process_creation'
  const deleted = 'product: windows, category: registry_delete'
  const ps = 'product: windows, service: powershell'
  const image = "Image|endswith: '\\cmd.exe'"

  test.for<[shape: TaxonomyShape, logsource: string, selection: string, event: EventObject, matches: number]>([
    ['sysmon', process, image, { ...cmd, Channel: sysmon, EventID: 1 }, 1],
    ['sysmon', process, image, { ...cmd, Channel: sysmon, EventID: 5 }, 0],
    ['windows-audit', process, image, audited, 1],
    ['windows-audit', process, "User: ann, ParentProcessId: '0x4'", audited, 1],
    ['windows-audit', process, image, { ...audited, EventID: 4689 }, 0],
    ['sysmon', deleted, 'TargetObject: a', { ...registry, EventID: 12, EventType: 'DeleteValue' }, 1],
    ['sysmon', deleted, 'TargetObject: a', { ...registry, EventID: 12, EventType: 'CreateKey' }, 0],
    ['sysmon', 'product: windows, category: registry_event', 'TargetObject: a', { ...registry, EventID: 13 }, 1],
    ['sysmon', ps, 'a: 1', { Channel: 'PowerShellCore/Operational', EventID: 4104, a: 1 }, 1],
    ['sysmon', 'product: windows, category: ps_script', 'a: 1', script, 0],
    ['windows-audit', 'product: windows, service: security', 'a: 1', { Channel: 'System', EventID: 1, a: 1 }, 0],
    ['sysmon', 'product: windows, category: antivirus', 'Signature: x', defender, 1],
    ['general', 'product: x', 'User: ann, DestinationIp: 192.0.2.7', named, 1],
    ['ecs', 'product: x', "Image|endswith: 'sh'", { _logsource: { product: 'x' }, process: { executable: '/bin/sh' } }, 1],
  ])('%s: %s with %s', ([shape, logsource, selection, event, matches]) => {
    const text = print(logsource, selection)
    expect([countMatches(text, event), countMatches(text, event, shape)]).toEqual([matches, matches])
  })

  test.for(taxonomyShapes.map((shape) => [shape] as const))('%s is a pipeline whose steps have names of their own', ([shape]) => {
    const ids = parsePipeline(printTaxonomyPipeline(shape)).items.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
