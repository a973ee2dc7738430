/** `curl` of a shell script: level high, with an id. */
export const curlRule = `title: Script download
id: 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001
level: high
logsource:
  product: linux
  category: process_creation
detection:
  selection:
    Image|endswith: /curl
    CommandLine|contains: .sh
  condition: selection
`

/** Any shell: no level, no id, two selections. */
export const shellRule = `title: Shell
logsource:
  product: linux
  category: process_creation
detection:
  shell:
    Image|endswith: [/sh, /bash]
  system:
    User: root
  condition: shell and not system
`

/** Needs values for %admins%. */
export const placeholderRule = `title: Administrator
id: 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0003
level: low
logsource:
  product: linux
detection:
  selection:
    User|expand: '%admins%'
  condition: selection
`

/** Its condition names a selection that is not there. */
export const brokenRule = `title: Broken
id: 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0004
logsource:
  product: linux
detection:
  selection:
    User: root
  condition: selction
`

const logsource = { product: 'linux', category: 'process_creation' }

/** Matches the curl rule. */
export const curlEvent = JSON.stringify({ _logsource: logsource, Image: '/usr/bin/curl', CommandLine: 'curl x.test/a.sh' })

/** Matches the shell rule. */
export const shellEvent = JSON.stringify({ _logsource: logsource, Image: '/bin/bash', User: 'alice' })

/** Matches neither, for the shell is root's. */
export const rootEvent = JSON.stringify({ _logsource: logsource, Image: '/bin/bash', User: 'root' })

/** As the curl event, without a log source. */
export const strayEvent = JSON.stringify({ Image: '/usr/bin/curl', CommandLine: 'curl x.test/a.sh' })
