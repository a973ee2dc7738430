/** The text of a rule that finds programs with an ending of their path. */
export function printProgramRule(id: string, number: number, ending: string): string {
  return `title: Program ${number}
id: ${id}
status: stable
level: low
logsource: { category: process_creation, product: windows }
detection:
  selection: { Image|endswith: \\${ending}.exe }
  condition: selection
`
}
