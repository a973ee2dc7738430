import type { RuleDetail } from '@tripline/contract/console/rule'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { ErrorMessage } from '../../../ui/state-message.tsx'
import { RuleHealth } from '../rule-columns.tsx'
import { RequiredFields, RuleFigures } from '../rule-figures.tsx'
import { useLastSeen } from './authoring-queries.ts'
import styles from './health-pane.module.css'

/** Whether a rule can match at all: its state, the fields that it needs, what it found and what it costs. */
export function HealthPane({ rule }: { readonly rule: RuleDetail }): ReactNode {
  const { health, required_fields: fields } = rule
  const names = useMemo(() => fields.map(({ field }) => field), [fields])
  const { data: lastSeen, error, refetch } = useLastSeen(names)
  return (
    <div className={styles['pane']}>
      <p className={styles['state']}>
        <RuleHealth health={health} />
        <span>{t(`rule.health.${health.state}`)}</span>
      </p>
      <RuleFigures rule={rule} />
      <section>
        <h3 className={styles['title']}>{t('rules.section.fields')}</h3>
        {fields.length === 0 ? <p>{t('rule.health.noFields')}</p> : <RequiredFields fields={fields} lastSeen={lastSeen} />}
        {error !== null && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      </section>
    </div>
  )
}
