import type { ReactNode } from 'react'
import { SelectionBar } from '../../frame/selection/selection-bar.tsx'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { triageActions } from './triage.ts'
import type { TriageAction } from './triage.ts'

/** What can be done with the rows that are checked. */
export function AlertSelectionBar({
  count,
  all,
  onAct,
  onAssign,
  onNewIncident,
  onClear,
}: {
  readonly count: number
  /** Offers all that match, where only what is loaded is selected. */
  readonly all?: { readonly total: number; readonly choose: () => void }
  readonly onAct: (action: TriageAction) => void
  readonly onAssign: () => void
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
      <Button kind="ghost" keys="Shift+a" onClick={onAssign}>
        {t('alerts.assign')}
      </Button>
      <Button kind="ghost" keys="n" onClick={onNewIncident}>
        {t('alerts.incident.new')}
      </Button>
    </SelectionBar>
  )
}
