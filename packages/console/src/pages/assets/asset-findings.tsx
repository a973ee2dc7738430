import type { FindingBody } from '@tripline/contract/console/enrichment/asset-activity'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './asset-findings.module.css'
import { useAssetFindings } from './asset-queries.ts'

/** The open vulnerabilities of an asset with their due dates, the worst first; the closed ones where they are asked for. */
export function AssetFindings({ id }: { readonly id: string }): ReactNode {
  const [isAll, setIsAll] = useState(false)
  const { data, error, isError, refetch } = useAssetFindings(id, isAll)
  const findings = data?.findings ?? []
  const missing = (data?.pagination.total ?? 0) - findings.length
  return (
    <PanelSection title={t('assets.section.findings')}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data !== undefined && findings.length === 0 && <p className={styles['note']}>{t('assets.noFinding')}</p>}
      <ul className={styles['findings']}>
        {findings.map((finding) => (
          <li key={finding.id}>
            <Finding finding={finding} />
          </li>
        ))}
      </ul>
      {missing > 0 && <p className={styles['note']}>{t('assets.moreFindings', { count: missing })}</p>}
      <Button kind="ghost" isPressed={isAll} onClick={() => setIsAll(!isAll)}>{t('assets.closedFindings')}</Button>
    </PanelSection>
  )
}

function Finding({ finding }: { readonly finding: FindingBody }): ReactNode {
  const { title, severity, status, exploit_count: exploits, is_overdue: isOverdue, due_at: due, closed_at: closed } = finding
  return (
    <details className={styles['finding']}>
      <summary className={styles['summary']}>
        <SeverityLabel severity={severity} />
        <span className={styles['title']}>{toVisibleText(title)}</span>
        {exploits > 0 && <Pill tone="bad">{t('assets.exploits', { count: exploits })}</Pill>}
        {status === 'closed' && closed !== null && (
          <span className={styles['note']}>{t('assets.closed', { time: printTime(closed) })}</span>
        )}
        {status === 'open' && due !== null && (
          <span className={styles['due']} data-overdue={isOverdue || undefined}>
            {t(isOverdue ? 'assets.overdue' : 'assets.dueAt', { time: printTime(due) })}
          </span>
        )}
      </summary>
      <Facts
        facts={[
          [t('assets.finding.id'), finding.vulnerability_id],
          [t('assets.finding.cves'), finding.cves.join(', ')],
          [t('assets.finding.cvss'), finding.cvss === null ? '' : printNumber(finding.cvss)],
          [t('assets.finding.ports'), finding.ports.join(', ')],
          [t('assets.finding.first'), printTime(finding.first_found)],
          [t('assets.finding.last'), printTime(finding.last_found)],
          [t('assets.finding.source'), finding.source],
          [t('assets.finding.proof'), finding.proof],
          [t('assets.finding.solution'), finding.solution],
        ]}
      />
    </details>
  )
}
