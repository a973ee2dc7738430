/** A rule on process creation, with everything that a rule's detail shows. */
export const encodedPowerShell = `title: Encoded PowerShell
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001
status: stable
description: PowerShell runs an encoded command.
references:
  - https://example.org/powershell
author: A. Uthor
date: 2026-01-02
modified: 2026-03-04
tags:
  - attack.execution
  - attack.t1059.001
logsource:
  category: process_creation
  product: windows
detection:
  selection_img:
    Image|endswith: '\\powershell.exe'
  selection_cli:
    CommandLine|contains: ' -enc'
  filter:
    User: SYSTEM
  condition: selection_img and selection_cli and not filter
falsepositives:
  - Administrators
level: high
`

/** A rule that states as little as a rule may. */
export const anySshLogin = `title: Any SSH login
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0002
logsource:
  product: linux
  service: sshd
detection:
  keywords:
    - Accepted password
  condition: keywords
`

/** A rule of level informational, about a technique only. */
export const whoami = `title: Whoami
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0003
status: test
tags: [attack.t1033, attack.discovery, attack.defense_evasion]
logsource:
  category: process_creation
detection:
  selection:
    Image|endswith: '\\whoami.exe'
  condition: selection
level: informational
`

/** A rule whose own status is `unsupported`. */
export const unsupported = `title: Not usable
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0004
status: unsupported
logsource:
  category: process_creation
detection:
  selection:
    Image: '*'
  condition: selection
level: critical
`

/** Events of Sysmon 1; the second is of SYSTEM, which the rule above leaves out. */
export const encoded = {
  Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Computer: 'web-1', User: 'ACME\\alice',
  Image: 'C:\\Windows\\powershell.exe', CommandLine: 'powershell -enc aQBlAHgA', '@timestamp': '2026-11-20T09:59:00Z',
}
export const encodedBySystem = { ...encoded, User: 'SYSTEM' }
export const sshLogin = { _logsource: { product: 'linux', service: 'sshd' }, message: 'Accepted password for root', host: 'db-1' }
