/** What the playground shows first: a rule that matches one of two events. */
export const exampleRule = `title: Encoded PowerShell
id: 7a36fc69-b9e8-4e6c-b0ef-44f5389fedf3
status: experimental
level: high
tags:
    - attack.execution
    - attack.t1059.001
logsource:
    category: process_creation
    product: windows
detection:
    program:
        Image|endswith:
            - '\\powershell.exe'
            - '\\pwsh.exe'
    argument:
        CommandLine|contains|windash: ' -enc'
    filter_management:
        ParentImage|endswith: '\\agent.exe'
    condition: program and argument and not filter_management
tests:
    - name: finds an encoded command
      event: { Image: 'C:\\pwsh.exe', CommandLine: 'pwsh /enc SQBFAFgA' }
      match: true
    - name: leaves the agent alone
      event: { Image: 'C:\\pwsh.exe', CommandLine: 'pwsh -enc SQBFAFgA', ParentImage: 'C:\\agent.exe' }
      match: false
`

export const exampleEvents = `[
  {
    "Channel": "Microsoft-Windows-Sysmon/Operational", "EventID": 1,
    "Image": "C:\\\\Windows\\\\powershell.exe", "CommandLine": "powershell -enc SQBFAFgA"
  },
  {
    "Channel": "Microsoft-Windows-Sysmon/Operational", "EventID": 1,
    "Image": "C:\\\\Windows\\\\powershell.exe", "CommandLine": "powershell -File report.ps1"
  }
]
`
