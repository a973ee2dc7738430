import { compileRules, explainCorrelation } from '@tripline/engine'

const text = `
title: Wrong password
name: wrong_password
logsource: { product: app }
detection: { selection: { action: fail }, condition: selection }
---
title: Password guessing
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301
correlation: { type: event_count, rules: [wrong_password], group-by: [user], timespan: 5m, condition: { gte: 3 } }`
const failure = (time: string) => ({ _logsource: { product: 'app' }, '@timestamp': time, user: 'alice', action: 'fail' })

const { ruleSet } = compileRules(text)
const explanation = explainCorrelation(ruleSet, '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301', [failure('2026-11-20T10:00:00Z')])
for (const { groups } of explanation.stages) console.log(groups.map(({ asked, holds }) => `${asked}: ${holds}`))
