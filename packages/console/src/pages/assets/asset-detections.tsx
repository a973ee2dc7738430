import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel } from '../../ui/badge.tsx'
import { AgeCell } from '../../ui/entries/cell.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './asset-panel.module.css'
import { useAssetAlerts } from './asset-queries.ts'

/** The newest alerts of an asset with what was decided about them. */
export function AssetDetections({ id }: { readonly id: string }): ReactNode {
  const { data, error, isError, refetch } = useAssetAlerts(id)
  return (
    <PanelSection title={t('assets.section.detections')}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={styles['text']}>{t('assets.noDetection')}</p>}
      <ul className={styles['timeline']}>
        {data?.map(({ id: alert, severity, severity_raw: raw, rule_title: title, status, verdict, created_at: at }) => (
          <li key={alert} className={styles['entry']}>
            <SeverityLabel severity={raw ?? severity} />
            <span className={styles['what']}>
              <Link to="/alerts" search={{ alert, from: '-90d' } as never}>{toVisibleText(title)}</Link>{' '}
              <span className={styles['count']}>
                {t(`alerts.status.${status}`)}
                {verdict !== 'unreviewed' && ` · ${t(`alerts.verdict.${verdict}`)}`}
              </span>
            </span>
            <AgeCell at={at} />
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
