import { compileRules, formatDiagnostics } from '@tripline/engine'

const text = `title: Broken
logsource: { product: windows }
detection:
  selection: { Image|endswiht: x }
  condition: selection
`
const [report] = compileRules([{ path: 'broken.yml', text }]).reports
if (report !== undefined) console.log(formatDiagnostics(text, report))
