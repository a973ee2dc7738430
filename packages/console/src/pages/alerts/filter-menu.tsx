import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { GroupIcon, Plus } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { facetFilters, groupings, useFacets } from './alert-figures.ts'
import { alertParameters } from './alert-url.ts'
import type { AlertUrl } from './alert-url.ts'
import styles from './filter-menu.module.css'

type FilterMenuProps = {
  readonly url: AlertUrl
  readonly onChange: ChangeUrlState<typeof alertParameters>
  readonly parameters: Readonly<Record<string, string>>
  readonly loadedAt: number
}

/** Adds a filter: the most frequent values of what is listed, with their counts. */
export function FilterMenu({ onChange, parameters, loadedAt }: FilterMenuProps): ReactNode {
  return (
    <Popover
      label={t('alerts.filter.add')}
      button={(target) => (
        <Button kind="ghost" icon={Plus} {...target}>
          {t('alerts.filter.add')}
        </Button>
      )}
    >
      {(close) => (
        <Facets
          parameters={parameters}
          loadedAt={loadedAt}
          onChoose={(name, value) => {
            close()
            onChange({ [name]: alertParameters[name].parse(value) })
          }}
        />
      )}
    </Popover>
  )
}

/** Chooses what alerts are grouped by. */
export function GroupMenu({ url: { group }, onChange }: Pick<FilterMenuProps, 'url' | 'onChange'>): ReactNode {
  return (
    <Menu
      label={t('alerts.groupBy')}
      align="end"
      button={(target) => (
        <Button icon={GroupIcon} {...target}>
          {group === undefined ? t('alerts.groupBy') : t(`alerts.group.${group}`)}
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

function Facets({
  parameters,
  loadedAt,
  onChoose,
}: Pick<FilterMenuProps, 'parameters' | 'loadedAt'> & {
  readonly onChoose: (name: (typeof facetFilters)[keyof typeof facetFilters], value: string) => void
}): ReactNode {
  const { data, error, refetch } = useFacets(parameters, loadedAt)
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  return (
    <div className={styles['facets']} aria-busy={data === undefined}>
      {data?.facets.map(({ field, values, distinct }) => {
        const name = facetFilters[field as keyof typeof facetFilters]
        const shown = values.filter(({ value }) => value !== '' || name === 'assignee')
        return shown.length === 0 ? null : (
          <section key={field} className={styles['facet']}>
            <h3 className={styles['title']}>
              {t(`alerts.filter.${name}`)} <span>{printNumber(distinct)}</span>
            </h3>
            {shown.map(({ value, label, count }) => (
              <button key={value} type="button" className={styles['value']} onClick={() => onChoose(name, value === '' ? 'none' : value)}>
                <span className={styles['text']}>{value === '' ? t('alerts.unassigned') : toVisibleText(label)}</span>
                <span className={styles['count']}>{printNumber(count)}</span>
              </button>
            ))}
          </section>
        )
      })}
    </div>
  )
}
