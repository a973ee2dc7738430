import { Engine, compileRules } from '@tripline/engine'

const text = String.raw`
title: Whoami
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
level: high
logsource: { product: windows, category: process_creation }
detection: { selection: { Image|endswith: '\whoami.exe' }, condition: selection }`

const engine = new Engine(compileRules(text).ruleSet)
const event = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Image: 'C:\\Windows\\whoami.exe', User: 'alice' }
for (const { rule, conditions } of engine.push([event])) console.log(rule.title, conditions)

const lines = new TextEncoder().encode(`${JSON.stringify(event)}\nno event\n`)
const { matches, malformed } = engine.pushBytes(lines)
console.log(matches.length, malformed.map(({ line }) => line))
