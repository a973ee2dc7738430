import type { ReactNode } from 'react'
import { SelectionBar } from '../../frame/selection/selection-bar.tsx'
import { enRuleParts } from '../../i18n/en/rule-parts.ts'
import { addTexts, printNumber, t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'

// They are no part of the first page.
addTexts(enRuleParts)

type RuleSelectionBarProps = {
  readonly count: number
  /** Offers all that match, where only what is loaded is selected. */
  readonly all?: { readonly total: number; readonly isBusy: boolean; readonly choose: () => void }
  readonly onSwitch: (enabled: boolean) => void
  readonly onClear: () => void
}

/** What can be done with the rules that are checked. */
export function RuleSelectionBar({ count, all, onSwitch, onClear }: RuleSelectionBarProps): ReactNode {
  return (
    <SelectionBar count={count} onClear={onClear}>
      {all !== undefined && (
        <Button isBusy={all.isBusy} onClick={all.choose}>{t('rules.selectAll', { total: printNumber(all.total) })}</Button>
      )}
      <Button kind="ghost" onClick={() => onSwitch(true)}>{t('rules.switchOn')}</Button>
      <Button kind="ghost" onClick={() => onSwitch(false)}>{t('rules.switchOff')}</Button>
    </SelectionBar>
  )
}
