import { lintRules } from '@tripline/rule-tools'

const text = String.raw`title: Encoded command
status: test
level: high
logsource: { product: windows, category: process_creation }
detection:
    selection:
        Image|endswith: '\powershell.exe'
        CommandLine|contains|all: ' -enc '
    condition: selection
`

for (const { findings } of lintRules([{ path: 'encoded.yml', text }], { check: ['ALL_ON_ONE_VALUE'] })) {
  for (const { line, code, message } of findings) console.log(line, code, message)
}
