import { applyFixes, lintRules } from '@tripline/rule-tools'

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

const fixes = lintRules([{ path: 'encoded.yml', text }], { check: ['ALL_ON_ONE_VALUE'] })
  .flatMap(({ findings }) => findings.flatMap(({ fix }) => (fix === undefined ? [] : [fix])))
const { text: mended, applied } = applyFixes(text, fixes)
console.log(applied.length, mended.includes('CommandLine|contains:'))
