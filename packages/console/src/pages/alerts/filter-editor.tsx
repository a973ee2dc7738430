import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { toggleWord } from '../../ui/filters/toggle.tsx'
import { ValueForm } from '../../ui/filters/value-form.tsx'
import type { FilterValue } from '../../ui/filters/value-form.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { printAlertFilter, useFacet } from './alert-figures.ts'
import { alertParameters, alertStatuses, verdicts } from './alert-url.ts'
import type { AlertUrl, AlertChip } from './alert-url.ts'
import { dueStates } from '../../lib/due-filter.ts'

/** Filters whose values are known; those of status and verdict may be several. */
const knownValues: { readonly [Filter in AlertChip]?: readonly string[] } = {
  status: alertStatuses, verdict: verdicts, due: dueStates, assignee: ['me', 'none'],
}

type FilterEditorProps = {
  readonly filter: AlertChip
  readonly url: AlertUrl
  readonly onChange: ChangeUrlState<typeof alertParameters>
  /** The query of the list without this filter. */
  readonly parameters: Readonly<Record<string, string>>
  readonly close: () => void
}

/** Chooses another value of a filter, of those that the rest of the filters leaves. */
export function FilterEditor({ filter, url, onChange, parameters, close }: FilterEditorProps): ReactNode {
  const { data: found = [], error, isError, refetch } = useFacet(filter, parameters)
  const chosen = [url[filter] ?? []].flat()
  const known = knownValues[filter] ?? []
  const counts = new Map(found.map(({ value, count }) => [value, count]))
  const listed: readonly FilterValue[] = [
    ...known.map((value) => {
      const count = counts.get(value)
      return { value, label: printAlertFilter(filter, value), ...(count !== undefined && { count }) }
    }),
    // The label of a rule is its title.
    ...found.filter(({ value }) => value !== '' && !known.includes(value)).map(({ value, label, count }) => {
      return { value, label: filter === 'rule' ? label : printAlertFilter(filter, value), count }
    }),
  ]
  const missing = chosen.filter((value) => !listed.some((one) => one.value === value))
  const choose = (value: string): void => {
    if (filter === 'status') onChange({ status: toggleWord(alertStatuses, url.status, value as (typeof alertStatuses)[number]) })
    else if (filter === 'verdict') onChange({ verdict: toggleWord(verdicts, url.verdict, value as (typeof verdicts)[number]) })
    else {
      close()
      onChange({ [filter]: alertParameters[filter].parse(value) })
    }
  }
  const isOpenEnded = filter !== 'status' && filter !== 'verdict' && filter !== 'due' && filter !== 'rule'
  return (
    <>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      <ValueForm
        label={t(`alerts.filter.${filter}`)}
        values={[...missing.map((value) => ({ value, label: printAlertFilter(filter, value) })), ...listed]}
        chosen={chosen}
        onChoose={choose}
        {...(isOpenEnded && { onType: choose })}
      />
    </>
  )
}
