import { Link, useRouter } from '@tanstack/react-router'
import type { ControlBody } from '@tripline/contract/console/response/compliance'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import styles from './control-panel.module.css'

type Evidence = ControlBody['signals'][number]['evidence'][number]

/** The page that shows what each kind of evidence counted. */
const pages = {
  logCoverage: { to: '/assets', search: { stale: 'no_logs' } },
  scans: { to: '/assets', search: { stale: 'no_scan' } },
  inventory: { to: '/assets', search: { tab: 'list' } },
  sourceClasses: { to: '/rules', search: {} },
  detection: { to: '/rules', search: {} },
  malware: { to: '/rules', search: {} },
  retention: { to: '/settings/retention', search: {} },
  auditTrail: { to: '/settings/audit', search: {} },
  clocks: { to: '/connectors/collectors', search: {} },
  pipelineGaps: { to: '/pipeline', search: { from: '-30d' } },
  acknowledgement: { to: '/alerts', search: { severity: 'critical,high', from: '-30d' } },
  incidents: { to: '/incidents', search: {} },
  access: { to: '/settings/users', search: {} },
  notifications: { to: '/settings/channels', search: {} },
  subjectRequests: { to: '/settings/requests', search: {} },
} as const
const kinds = Object.keys(pages) as (keyof typeof pages)[]

/** What was read for a signal: what it is, with the page that shows it, when it was read, and the hash of what it said. */
export function ControlEvidence({ evidence }: { readonly evidence: readonly Evidence[] }): ReactNode {
  return (
    <ul className={styles['evidence']}>
      {evidence.map((entry) => (
        <li key={`${entry.kind} ${entry.ref} ${entry.sha256}`}>
          <Source entry={entry} />
          <time dateTime={entry.at}>{printTime(entry.at)}</time>
          <code title={entry.sha256}>{entry.sha256.slice(0, 12)}</code>
        </li>
      ))}
    </ul>
  )
}

function Source({ entry: { kind, ref } }: { readonly entry: Evidence }): ReactNode {
  const { routesByPath } = useRouter()
  const known = kinds.find((one) => one === kind)
  // A newer server may know more.
  if (known === undefined) return <span>{`${toVisibleText(kind)} ${toVisibleText(ref)}`}</span>
  const { to, search } = pages[known]
  const name = t(`compliance.evidence.${known}`)
  // Customers have fewer pages.
  const isThere = Object.hasOwn(routesByPath, to) || (to.startsWith('/settings/') && Object.hasOwn(routesByPath, '/settings/$id'))
  return isThere ? <Link to={to} search={search as never}>{name}</Link> : <span>{name}</span>
}
