import { compileRules } from '@tripline/engine'

const text = String.raw`
title: Whoami
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
level: high
logsource: { product: windows, category: process_creation }
detection: { selection: { Image|endswith: '\whoami.exe' }, condition: selection }`

const broken = 'title: Broken\nlogsource: { product: windows }\ndetection: { a: { x: 1 }, condition: b }'
const { ruleSet, reports } = compileRules([{ path: 'whoami.yml', text }, { path: 'broken.yml', text: broken }])
for (const { path, verdict, diagnostics } of reports) console.log(path, verdict, diagnostics.map(({ code }) => code))
console.log(ruleSet.rules.length)
