import { Link } from '@tanstack/react-router'
import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { printValueQuery } from '../../../lib/text-query.ts'
import { toIso } from '../../../lib/time-range.ts'
import { Facts } from '../../../ui/entries/facts.tsx'
import { PanelSection } from '../../../ui/side-panel.tsx'
import styles from './panel-sections.module.css'
import { readCorrelation } from './read-correlation.ts'

/** A second: the window of the timeline ends after the last event. */
const secondMs = 1_000

/** What a correlation found: what was counted and required, of which group, in which window, with the events in the timeline. */
export function CorrelationSection({ alert: { correlation, event } }: { readonly alert: AlertDetailBody }): ReactNode {
  const found = correlation === null ? undefined : readCorrelation(correlation.condition)
  if (correlation === null || found === undefined) return null
  const end = Date.parse(event.timestamp) + secondMs
  const search = {
    q: found.group.map(({ field, value }) => printValueQuery(field, value)).join(' AND '),
    from: toIso(end - secondMs - found.windowMs), to: toIso(end),
  }
  return (
    <PanelSection title={t('alerts.section.conditions')}>
      <Facts
        facts={[
          [t('alerts.correlation.type'), found.type],
          [t('alerts.correlation.found'), found.comparison],
          [t('alerts.correlation.group'), found.group.map(({ field, value }) => `${field} = ${value}`).join(', ')],
          [t('alerts.correlation.window'), found.window],
        ]}
      />
      {correlation.degraded && <p className={styles['note']}>{t('alerts.correlation.degraded')}</p>}
      {found.group.length > 0 && <Link to="/search" search={search}>{t('alerts.correlation.events')}</Link>}
    </PanelSection>
  )
}
