import type { RuleSource } from '@tripline/engine'

/**
 * Rules over the events that the server makes of what it knows of assets (docs/guide/exposures.md), and over alerts of collectors
 * that detect themselves (docs/guide/collector.md). They come with the server
 * as files of the operator do: a tenant reads, changes and disables them like any other.
 */
const rules = `title: Alert on an asset with a critical vulnerability
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0001
status: stable
description: An alert was raised on a machine with an open critical vulnerability. It and the alert are one incident.
logsource: {product: tripline, category: vulnerable_asset_alert}
detection:
  critical:
    vulnerabilities.critical|gte: 1
  condition: critical
level: high
---
title: New exploit for a vulnerability of an asset
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0002
status: stable
description: An exploit became known for a vulnerability that is open on this machine.
logsource: {product: tripline, category: exploit_available}
detection:
  exploit:
    exploit_count|gte: 1
  public:
    is_public: true
  tagged:
    tags: internet
  condition: exploit and not (public or tagged)
level: high
---
title: New exploit for a vulnerability of an asset on the internet
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0003
status: stable
description: >-
  An exploit became known for a vulnerability that is open on this machine, which has a public address or the tag internet.
logsource: {product: tripline, category: exploit_available}
detection:
  exploit:
    exploit_count|gte: 1
  public:
    is_public: true
  tagged:
    tags: internet
  condition: exploit and (public or tagged)
level: critical
---
title: Severe vulnerability is overdue
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0004
status: stable
description: A critical or high vulnerability is still open a day after the date by which it had to be remediated.
logsource: {product: tripline, category: overdue_vulnerability}
detection:
  severe:
    severity: [critical, high]
  condition: severe
level: medium
---
title: Vulnerability is overdue
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0005
status: stable
description: A vulnerability is still open a day after the date by which it had to be remediated.
logsource: {product: tripline, category: overdue_vulnerability}
detection:
  severe:
    severity: [critical, high]
  any:
    vulnerability_id|exists: true
  condition: any and not severe
level: low
---
title: Asset stopped sending logs
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0006
status: stable
description: A machine that sent logs has sent none for 24 hours.
logsource: {product: tripline, category: blind_spot}
detection:
  silent:
    blind_spot: no_logs
    seen_before: true
  condition: silent
level: medium
---
title: Asset has never sent logs
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0007
status: stable
description: A machine of the inventory is known for 24 hours and has sent no logs.
logsource: {product: tripline, category: blind_spot}
detection:
  silent:
    blind_spot: no_logs
    seen_before: false
  condition: silent
level: low
---
title: Asset without a recent scan
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0008
status: stable
description: No scanner has looked at this machine for 7 days.
logsource: {product: tripline, category: blind_spot}
detection:
  unscanned:
    blind_spot: no_scan
  condition: unscanned
level: medium
---
title: Alert of a collector
id: 5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0009
status: stable
description: A rule of a collector that detects itself matched. Its alert has the title, level and tags of that rule.
logsource: {product: tripline, category: edge_alert}
detection:
  edge:
    _edge.title|exists: true
  condition: edge
level: medium
`

/** The rules as the server loads them. A file of the operator with the id of one takes its place. */
export function listExposureRules(given: readonly RuleSource[]): readonly RuleSource[] {
  return rules.split('---\n').flatMap((text, index) => {
    const [, id = ''] = /^id: (.+)$/m.exec(text) ?? []
    return given.some((source) => source.text.includes(id)) ? [] : [{ path: `tripline/exposure-${index + 1}.yml`, text }]
  })
}
