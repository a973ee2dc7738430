import { parseRuleTests } from '@tripline/rule-tools'

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

for (const { tests } of parseRuleTests([{ path: 'encoded.yml', text }])) console.log(tests.map(({ name }) => name))
