import { fixRules } from '@tripline/rule-tools'

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

const { text: mended, fixed } = fixRules({ text })
console.log(fixed.map(({ code }) => code), mended !== text)
