import { compileRules } from '@tripline/engine'
import { startPool } from '@tripline/pool'

const text = String.raw`
title: Whoami
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
level: high
logsource: { product: windows, category: process_creation }
detection: { selection: { Image|endswith: '\whoami.exe' }, condition: selection }`
const event = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Image: 'C:\\Windows\\whoami.exe', User: 'alice' }

const { ruleSet } = compileRules(text)
const pool = startPool({ ruleSet, jobs: 2, include: { conditions: true } })
await pool.ready
const { matches } = await pool.push(new TextEncoder().encode(`${JSON.stringify(event)}\n`))
for (const { row, rule, conditions } of matches) console.log(row, ruleSet.rules[rule]?.title, conditions)
await pool.close()
