import { compileRules, saveRuleSet } from '@tripline/engine'

const text = String.raw`
title: Whoami
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
level: high
logsource: { product: windows, category: process_creation }
detection: { selection: { Image|endswith: '\whoami.exe' }, condition: selection }`

const bytes = saveRuleSet(compileRules(text).ruleSet)
console.log(bytes instanceof Uint8Array)
