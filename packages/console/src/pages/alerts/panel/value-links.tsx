import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { printValueQuery } from '../../../lib/text-query.ts'
import { toIso } from '../../../lib/time-range.ts'
import { printValue } from '../../../lib/visible-text.ts'
import { Equal, EqualNot, Table2, TimelineIcon } from '../../../ui/icons.tsx'
import type { Icon } from '../../../ui/icons.tsx'
import styles from './alert-parts.module.css'

const halfDayMs = 43_200_000
/** Characters of a value in the name of a link. */
const valueShownMax = 60

/** A day around an instant, as the timeline's address states it. */
export function toDay(at: string): { readonly from: string; readonly to: string } {
  return { from: toIso(Date.parse(at) - halfDayMs), to: toIso(Date.parse(at) + halfDayMs) }
}

type ValueLinksProps = {
  readonly field: string
  readonly value: unknown
  readonly timestamp: string
  /** The host of the alert; empty where it has none. */
  readonly host: string
}

/**
 * Leads from a value of an alert's event to the timeline of that day: the events of its host with the value alone, without it, or
 * with the field as a column, and all events that have the value.
 */
export function ValueLinks({ field, value, timestamp, host }: ValueLinksProps): ReactNode {
  // A list and an object are no single value to compare with.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null
  const query = printValueQuery(field, value)
  const ofHost = host === '' || value === host ? [] : [printValueQuery('host', host)]
  const names = { field, value: printValue(value).slice(0, valueShownMax) }
  const range = toDay(timestamp)
  return (
    <>
      <TimelineLink icon={Equal} label={t('alerts.event.only', names)} search={{ q: [...ofHost, query].join(' AND '), ...range }} />
      <TimelineLink
        icon={EqualNot}
        label={t('alerts.event.without', names)}
        search={{ q: [...ofHost, `NOT ${query}`].join(' AND '), ...range }}
      />
      {!field.includes(',') && (
        <TimelineLink
          icon={Table2}
          label={t('alerts.event.column', names)}
          search={{ ...(host !== '' && { q: printValueQuery('host', host) }), columns: field, ...range }}
        />
      )}
      <TimelineLink icon={TimelineIcon} label={t('alerts.event.pivot', names)} search={{ q: query, ...range }} />
    </>
  )
}

function TimelineLink({ icon: LinkIcon, label, search }: {
  readonly icon: Icon
  readonly label: string
  readonly search: { readonly [parameter: string]: string }
}): ReactNode {
  return (
    <Link to="/search" search={search as never} className={styles['pivot']} aria-label={label} title={label}>
      <LinkIcon size={14} aria-hidden />
    </Link>
  )
}
