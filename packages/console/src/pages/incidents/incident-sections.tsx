import { Link } from '@tanstack/react-router'
import type { IncidentDetailBody } from '@tripline/contract/console/incident'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printInstant, printSpan, printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { SeverityLabel, printLevel } from '../../ui/badge.tsx'
import { Facts } from '../../ui/entries/facts.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import styles from './incident-panel.module.css'

type SectionProps = { readonly incident: IncidentDetailBody }
/** A section that has a tab of its own says there that it is empty, and is left out elsewhere. */
type TabSectionProps = SectionProps & { readonly isWhole: boolean }

/** Alerts about an entity may be older than the range that the Alerts page begins with. */
const entityRange = '-30d'
/** An alert that arrived this much later than its event did not arrive with it, and says so. */
const lateMs = 300_000

/** The hosts, users and addresses that an incident is about. */
export function EntitySection({ incident: { entities } }: SectionProps): ReactNode {
  return (
    <PanelSection title={t('incidents.section.entities')}>
      <ul className={styles['rows']}>
        {entities.map(({ type, value, alert_count: alertCount }) => (
          <li key={`${type} ${value}`} className={styles['row']}>
            <span className={styles['note']}>{t(`incidents.entity.${type}`)}</span>
            <Link
              to="/alerts"
              search={{ ...(type === 'ip' ? { q: value } : { [type]: value }), from: entityRange }}
              className={styles['mono']}
            >
              {toVisibleText(value)}
            </Link>
            <span className={styles['note']}>{t('incidents.alerts', { count: alertCount })}</span>
          </li>
        ))}
      </ul>
      {entities.length === 0 && <p className={styles['note']}>{t('incidents.noEntities')}</p>}
    </PanelSection>
  )
}

/** When the events happened that an incident is about, and when its alerts arrived. */
export function TimeFacts({ incident }: SectionProps): ReactNode {
  const { first_event_at: firstEvent, last_event_at: lastEvent, first_alert_at: firstAlert, last_alert_at: lastAlert } = incident
  if (firstEvent === null || lastEvent === null || firstAlert === null || lastAlert === null) return null
  return (
    <div className={styles['times']}>
      <Facts
        facts={[
          [t('incidents.times.events'), printPeriod(firstEvent, lastEvent)],
          [t('incidents.times.arrival'), printPeriod(firstAlert, lastAlert)],
        ]}
      />
    </div>
  )
}

function printPeriod(from: string, to: string): string {
  if (Date.parse(to) - Date.parse(from) < 1_000) return printTime(from)
  return t('incidents.times.period', { from: printInstant(from), to: printTime(to) })
}

/** Where an event was, which is cut in little room and whole in its tip. */
function Place({ name }: { readonly name: string }): ReactNode {
  const text = toVisibleText(name)
  return <span className={styles['mono']} title={text}>{text}</span>
}

/** The alerts of an incident in the order of their events, which tells what happened. */
export function AlertSection({ incident }: SectionProps): ReactNode {
  const { related_alerts: alerts, alert_count: count } = incident
  return (
    <PanelSection title={t('incidents.section.alerts', { shown: printNumber(alerts.length), total: printNumber(count) })}>
      <ul className={styles['rows']}>
        {alerts.toReversed().map((
          { id, severity, severity_raw: raw, rule_title: rule, event, first_event_at: at, created_at: arrival },
        ) => (
          <li key={id} className={styles['row']}>
            <time
              className={styles['note']}
              dateTime={at}
              title={t('incidents.alert.time', { event: printTime(at), arrival: printTime(arrival) })}
            >
              {printInstant(at)}
            </time>
            <SeverityLabel severity={raw ?? severity} />
            <Link to="/alerts/$id" params={{ id }} className={styles['grow']}>
              {toVisibleText(rule)}
            </Link>
            <Place name={event.host === '' ? event.user : event.host} />
            {Date.parse(arrival) - Date.parse(at) >= lateMs && (
              <span className={styles['note']}>
                {t('incidents.alert.late', { span: printSpan(Date.parse(arrival) - Date.parse(at)) })}
              </span>
            )}
          </li>
        ))}
      </ul>
      {alerts.length === 0 && <p className={styles['note']}>{t('incidents.noAlerts')}</p>}
    </PanelSection>
  )
}

/** The assets that its hosts are. */
export function AssetSection({ incident: { affected_assets: assets }, isWhole }: TabSectionProps): ReactNode {
  if (assets.length === 0 && !isWhole) return null
  return (
    <PanelSection title={t('incidents.section.assets')}>
      <ul className={styles['rows']}>
        {assets.map(({ id, hostname, criticality, risk_score: risk }) => (
          <li key={id} className={styles['row']}>
            <Link to="/assets" search={{ asset: id }} className={styles['mono']}>{toVisibleText(hostname)}</Link>
            <span className={styles['note']}>
              {t('incidents.asset.criticality', { criticality: printLevel(criticality) })}
              {/* A score of 0 was never computed. */}
              {risk > 0 && ` · ${t('incidents.asset.risk', { risk: printNumber(risk) })}`}
            </span>
          </li>
        ))}
      </ul>
      {assets.length === 0 && <p className={styles['note']}>{t('incidents.noAssets')}</p>}
    </PanelSection>
  )
}

/** What playbooks did about it. */
export function ActionSection({ incident: { response_actions: actions }, isWhole }: TabSectionProps): ReactNode {
  if (actions.length === 0 && !isWhole) return null
  return (
    <PanelSection title={t('incidents.section.actions')}>
      <ul className={styles['rows']}>
        {actions.map(({ id, type, status, requested_by: by, at, result }) => (
          <li key={id} className={styles['row']}>
            <span>{toVisibleText(`${type} · ${status}`)}</span>
            <span className={styles['grow']}>{toVisibleText(result)}</span>
            <span className={styles['note']}>{toVisibleText(by)}</span>
            <time className={styles['note']} dateTime={at}>
              {printTime(at)}
            </time>
          </li>
        ))}
      </ul>
      {actions.length === 0 && <p className={styles['note']}>{t('incidents.noActions')}</p>}
    </PanelSection>
  )
}
