import type { ReactNode } from 'react'
import { SelectionBar } from '../../frame/selection/selection-bar.tsx'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { X } from '../../ui/icons.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { listChips } from './alert-url.ts'
import type { alertParameters, AlertUrl } from './alert-url.ts'
import styles from './list-states.module.css'
import { triageActions } from './triage.ts'
import type { TriageAction } from './triage.ts'

/** What can be done with the rows that are checked. */
export function AlertSelectionBar({
  count,
  all,
  onAct,
  onNewIncident,
  onClear,
}: {
  readonly count: number
  /** Offers all that match, where only what is loaded is selected. */
  readonly all?: { readonly total: number; readonly choose: () => void }
  readonly onAct: (action: TriageAction) => void
  readonly onNewIncident: () => void
  readonly onClear: () => void
}): ReactNode {
  return (
    <SelectionBar count={count} onClear={onClear}>
      {all !== undefined && <Button onClick={all.choose}>{t('alerts.selectAll', { total: all.total })}</Button>}
      {triageActions.map(({ action, keys }) => (
        <Button key={action} kind="ghost" {...(keys !== undefined && { keys })} onClick={() => onAct(action)}>
          {t(`alerts.action.${action}`)}
        </Button>
      ))}
      <Button kind="ghost" keys="n" onClick={onNewIncident}>
        {t('alerts.incident.new')}
      </Button>
    </SelectionBar>
  )
}

/** An empty list, with what makes it empty: each filter can be removed. */
export function EmptyList({
  url,
  onChange,
}: {
  readonly url: AlertUrl
  readonly onChange: ChangeUrlState<typeof alertParameters>
}): ReactNode {
  const filters = [
    ...(url.q === undefined ? [] : ['q' as const]),
    ...(url.severity === undefined ? [] : ['severity' as const]),
    ...listChips(url),
  ]
  if (filters.length === 0) return <StateMessage title={t('alerts.none')} />
  return (
    <StateMessage title={t('alerts.noneFiltered', { count: filters.length })}>
      <div className={styles['filters']}>
        {filters.map((name) => (
          <Button key={name} icon={X} onClick={() => onChange({ [name]: undefined })}>
            {t('alerts.filter.remove', { name: t(`alerts.filter.${name}`) })}
          </Button>
        ))}
        {filters.length > 1 && (
          <Button onClick={() => onChange(Object.fromEntries(filters.map((name) => [name, undefined])))}>
            {t('alerts.filter.removeAll')}
          </Button>
        )}
      </div>
    </StateMessage>
  )
}
