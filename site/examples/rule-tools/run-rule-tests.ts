import { compileRules } from '@tripline/engine'
import { parseRuleTests, runRuleTests } from '@tripline/rule-tools'

const text = String.raw`title: Encoded command
status: test
level: high
logsource: { product: windows, category: process_creation }
detection:
    selection:
        Image|endswith: '\powershell.exe'
        CommandLine|contains|all: ' -enc '
    condition: selection
tests:
    - name: finds an encoded command
      event: { Image: 'C:\powershell.exe', CommandLine: 'powershell -enc SQBF' }
      match: true
`

const sources = [{ path: 'encoded.yml', text }]
for (const { test, failure = 'passed' } of runRuleTests(compileRules(sources), parseRuleTests(sources))) console.log(test.name, failure)
