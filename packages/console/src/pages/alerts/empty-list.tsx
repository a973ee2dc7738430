import type { ReactNode } from 'react'
import type { ChangeUrlState } from '../../frame/use-url-state.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { X } from '../../ui/icons.tsx'
import { StateMessage } from '../../ui/state-message.tsx'
import { listChips } from './alert-url.ts'
import type { alertParameters, AlertUrl } from './alert-url.ts'
import styles from './empty-list.module.css'

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
            {t('filters.removeAll')}
          </Button>
        )}
      </div>
    </StateMessage>
  )
}
