import type { RuleEntry } from '@tripline/contract/console/rule'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { switchRule } from './rule-queries.ts'
import styles from './rule-switch.module.css'

type SwitchProps = { readonly rule: Pick<RuleEntry, 'id' | 'title' | 'enabled'>; readonly mayEdit: boolean }

/** The switch of a rule that stands alone: a word says how it stands. */
export function WordedSwitch(props: SwitchProps): ReactNode {
  return (
    <span className={styles['worded']}>
      <span aria-hidden>{t(props.rule.enabled ? 'rules.enabled.true' : 'rules.enabled.false')}</span>
      <Switch {...props} />
    </span>
  )
}

/** Whether the rule runs; a click changes that. */
export function Switch({ rule, mayEdit }: SwitchProps): ReactNode {
  const { enabled, title } = rule
  return (
    <button
      type="button"
      role="switch"
      aria-checked={enabled}
      aria-label={t('rules.switch', { title: toVisibleText(title) })}
      disabled={!mayEdit}
      className={styles['switch']}
      onClick={(event) => {
        event.stopPropagation()
        void switchRule(rule, !enabled)
      }}
    >
      <span className={styles['knob']} />
    </button>
  )
}
