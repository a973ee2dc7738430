import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { changePreferences } from '../../api/preferences.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { useHasOtherEvents } from './dashboard-queries.ts'
import styles from './demo-steps.module.css'
import { FirstSteps, sampleHost } from './first-steps.tsx'

/** Charts of a first event that is a moment old. */
const recent = { from: '-15m' } as const

/** What a demo is, above its charts: what is real, whence the samples come, and the way to an event of one's own. */
export function DemoSteps({ connector }: { readonly connector: string }): ReactNode {
  const hasEvents = useHasOtherEvents(connector)
  const hiding = useMutation({ mutationFn: () => changePreferences({ demo: undefined }) })
  const next = (
    <ul className={styles['links']}>
      <li><Link to="/alerts" search={{ q: sampleHost, ...recent }}>{t('dashboard.demo.alert', { host: sampleHost })}</Link></li>
      <li><Link to="/search" search={{ q: `hostname:${sampleHost}`, ...recent }}>{t('dashboard.demo.find')}</Link></li>
      <li><Link to="/rules/new">{t('dashboard.demo.rule')}</Link></li>
    </ul>
  )
  return (
    <FirstSteps title={t('dashboard.demo.title')} hasEvents={hasEvents} isBeside next={next}>
      <div className={styles['intro']}>
        <div className={styles['text']}>
          <p>
            {t('dashboard.demo.text')}{' '}
            <Link to="/connectors" search={{ connector }}>{t('dashboard.demo.samples')}</Link>
          </p>
          <p>{t('dashboard.demo.try')}</p>
        </div>
        <Button isBusy={hiding.isPending} onClick={() => hiding.mutate()}>{t('dashboard.demo.hide')}</Button>
      </div>
      {hiding.isError && <ErrorMessage error={hiding.error} />}
    </FirstSteps>
  )
}
