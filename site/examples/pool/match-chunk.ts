import { Engine, compileRules } from '@tripline/engine'
import { matchChunk } from '@tripline/pool'

const text = String.raw`
title: Whoami
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
level: high
logsource: { product: windows, category: process_creation }
detection: { selection: { Image|endswith: '\whoami.exe' }, condition: selection }`
const event = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Image: 'C:\\Windows\\whoami.exe', User: 'alice' }

const engine = new Engine(compileRules(text).ruleSet)
const { matches, lineCount } = matchChunk(engine, new TextEncoder().encode(`${JSON.stringify(event)}\n`), { conditions: true }, {})
console.log(lineCount, matches.map(({ conditions }) => conditions))
