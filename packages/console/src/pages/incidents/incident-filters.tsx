import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { printTactic } from '../../i18n/print-tactic.ts'
import { t } from '../../i18n/translate.ts'
import type { Facet } from '../../ui/filters/facet-menu.tsx'
import { ValueForm } from '../../ui/filters/value-form.tsx'
import { usePeople } from './incident-queries.ts'
import { incidentOrigins, incidentParameters } from './incident-url.ts'
import type { IncidentChip, IncidentUrl } from './incident-url.ts'

/** A value of a filter as people read it. */
export function printIncidentFilter(chip: IncidentChip, value: string): string {
  if (chip === 'tactic') return printTactic(value)
  if (chip === 'origin') return t(`incidents.origin.${value as (typeof incidentOrigins)[number]}`)
  if (value === 'me') return t('incidents.filter.mine')
  return value === 'none' ? t('incidents.unassigned') : value
}

/** The change of the address that sets a filter. */
export function toFilterChange(chip: IncidentChip, value: string): IncidentUrl {
  return { [chip]: incidentParameters[chip].parse(value) }
}

/** Further filters of the list with their values: the people of the tenant, the tactics that are listed, what opens incidents. */
export function useIncidentFacets(tactics: readonly string[]): {
  readonly data: readonly Facet<IncidentChip>[] | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
} {
  const { data: people, error, refetch } = usePeople()
  const facets = people && (['assignee', 'tactic', 'origin'] as const).map((name) => {
    const values = { assignee: ['none', ...people.map(({ email }) => email)], tactic: tactics, origin: incidentOrigins }[name]
    const shown = values.map((value) => ({ value, label: printIncidentFilter(name, value) }))
    return { name, title: t(`incidents.filter.${name}`), distinct: shown.length, values: shown }
  })
  return { data: facets, error, refetch }
}

/** Chooses another value of a filter. */
export function IncidentFilterEditor({ chip, url, tactics, onChange, close }: {
  readonly chip: IncidentChip
  readonly url: IncidentUrl
  readonly tactics: readonly string[]
  readonly onChange: ChangeUrlState<typeof incidentParameters>
  readonly close: () => void
}): ReactNode {
  const { data = [] } = useIncidentFacets(tactics)
  const chosen = url[chip] ?? ''
  const values = data.find(({ name }) => name === chip)?.values ?? []
  const isListed = values.some(({ value }) => value === chosen)
  const choose = (value: string): void => {
    close()
    onChange(toFilterChange(chip, value))
  }
  return (
    <ValueForm
      label={t(`incidents.filter.${chip}`)}
      values={isListed ? values : [{ value: chosen, label: printIncidentFilter(chip, chosen) }, ...values]}
      chosen={[chosen]}
      onChoose={choose}
      {...(chip !== 'origin' && { onType: choose })}
    />
  )
}
