import { compileRules, explain } from '@tripline/engine'

const text = String.raw`
title: Whoami
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
level: high
logsource: { product: windows, category: process_creation }
detection: { selection: { Image|endswith: '\whoami.exe' }, condition: selection }`

const [rule] = compileRules(text).ruleSet.rules
const event = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Image: 'C:\\Windows\\whoami.exe', User: 'alice' }
if (rule !== undefined) {
  console.log(explain(rule, event).matched)
  console.log(explain(rule, { ...event, Image: 'C:\\Windows\\cmd.exe' }).matched)
}
