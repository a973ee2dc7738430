import type { ReactNode } from 'react'
import type { AlertSummaryBody } from '@tripline/contract/console/alerts/alert-figures'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { FacetMenu } from '../../ui/filters/facet-menu.tsx'
import type { Facet } from '../../ui/filters/facet-menu.tsx'
import { GroupIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { facetFilters, groupings, printAlertFilter, printGrouping, useFacets } from './alert-figures.ts'
import { alertParameters } from './alert-url.ts'
import type { AlertUrl } from './alert-url.ts'

export type FilterMenuProps = {
  readonly url: AlertUrl
  readonly onChange: ChangeUrlState<typeof alertParameters>
  readonly parameters: Readonly<Record<string, string>>
  readonly loadedAt: number
}

/** The menus of the filter bar: a further filter, and what alerts are grouped by. */
export function FilterMenus(props: FilterMenuProps): ReactNode {
  return (
    <>
      <FilterMenu {...props} />
      <GroupMenu {...props} />
    </>
  )
}

/** Adds a filter of the list of alerts. */
function FilterMenu({ onChange, parameters, loadedAt }: FilterMenuProps): ReactNode {
  return (
    <FacetMenu
      label={t('alerts.filter.add')}
      useFacets={() => {
        const { data, error, refetch } = useFacets(parameters, loadedAt)
        return { data: data?.facets.map(toFacet), error, refetch }
      }}
      onChoose={(name, value) => onChange({ [name]: alertParameters[name].parse(value) })}
    />
  )
}

/** Chooses what alerts are grouped by. */
function GroupMenu({ url: { group }, onChange }: Pick<FilterMenuProps, 'url' | 'onChange'>): ReactNode {
  return (
    <Menu
      label={t('alerts.groupBy')}
      align="end"
      button={(target) => (
        <Button icon={GroupIcon} {...target}>
          {printGrouping(group)}
        </Button>
      )}
      items={[
        { label: t('alerts.group.nothing'), isChecked: group === undefined, run: () => onChange({ group: undefined }) },
        ...groupings.map((one) => ({
          label: t(`alerts.group.${one}`),
          isChecked: group === one,
          run: () => onChange({ group: one, alert: undefined }),
        })),
      ]}
    />
  )
}

type AlertFacetFilter = (typeof facetFilters)[keyof typeof facetFilters]

function toFacet({ field, distinct, values }: AlertSummaryBody['facets'][number]): Facet<AlertFacetFilter> {
  const name = facetFilters[field as keyof typeof facetFilters]
  return {
    name, title: t(`alerts.filter.${name}`), distinct,
    values: values.flatMap(({ value, label, count }) => {
      // The label of a rule is its title.
      if (value !== '') return [{ value, label: name === 'rule' ? label : printAlertFilter(name, value), count }]
      return name === 'assignee' ? [{ value: 'none', label: printAlertFilter(name, 'none'), count }] : []
    }),
  }
}
