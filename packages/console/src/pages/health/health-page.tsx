import { useQuery } from '@tanstack/react-query'
import type { SystemHealthBody } from '@tripline/contract/console/health'
import type { SupportBundleBody } from '@tripline/contract/console/support-bundle'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { useMay } from '../../api/use-may.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Pill } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CircleCheck, CircleX, Clock } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import styles from './health-page.module.css'
import { listChecks } from './list-checks.ts'
import type { CheckLine } from './list-checks.ts'
import { Process } from './process.tsx'
import { SelfTest } from './self-test.tsx'

/** How often the page is read again while it is visible. */
const everyMs = 10_000

type ServiceStatus = SystemHealthBody['services'][keyof SystemHealthBody['services']]['status']

const overallTones: { readonly [Status in SystemHealthBody['status']]: Tone } = { healthy: 'ok', degraded: 'warn', unhealthy: 'bad' }
const serviceTones: { readonly [Status in ServiceStatus]: Tone } = { up: 'ok', degraded: 'warn', down: 'bad' }
const serviceNames = ['connector-service', 'normalizer-service', 'detection-service', 'enrichment-service'] as const

/** Whether the server works: its services, and the checks that say why one does not. */
export function HealthPage(): ReactNode {
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => callApi<SystemHealthBody>('/v1/health', { signal }),
    refetchInterval: everyMs,
  })
  const mayAdminister = useMay('administer_tenant')
  const [isSaving, setIsSaving] = useState(false)
  const saveBundle = async (): Promise<void> => {
    setIsSaving(true)
    try {
      const bundle = await callApi<SupportBundleBody>('/v1/support-bundle')
      saveFile(new File([JSON.stringify(bundle, undefined, 2)], 'tripline-support.json', { type: 'application/json' }))
      showToast({ kind: 'notice', text: t('health.bundle.saved') })
    } catch (problem) {
      showToast({ kind: 'error', text: getErrorText(problem) })
    }
    setIsSaving(false)
  }
  return (
    <>
      <PageHead title={t('health.title')}>
        {mayAdminister && <Button isBusy={isSaving} onClick={() => void saveBundle()}>{t('health.bundle')}</Button>}
        {data !== undefined && <Pill tone={overallTones[data.status]}>{t(`health.overall.${data.status}`)}</Pill>}
      </PageHead>
      <div className={styles['page']}>
        {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
        {data === undefined && !isError && <Skeleton lines={12} />}
        {data !== undefined && (
          <>
            <div className={styles['columns']}>
              <div className={styles['column']}>
                <Services services={data.services} />
                {mayAdminister && <SelfTest />}
              </div>
              <section className={styles['box']} aria-label={t('health.checks')}>
                <h2 className={styles['title']}>{t('health.checks')}</h2>
                <ul className={styles['checks']}>
                  {listChecks(data).map((line) => (
                    <Check key={line.id} line={line} />
                  ))}
                </ul>
              </section>
            </div>
            {mayAdminister && <Process />}
            <p className={styles['asOf']}>{t('health.asOf', { time: printTime(data.timestamp) })}</p>
          </>
        )}
      </div>
    </>
  )
}

function Services({ services }: { readonly services: SystemHealthBody['services'] }): ReactNode {
  return (
    <section className={styles['box']} aria-label={t('health.services')}>
      <h2 className={styles['title']}>{t('health.services')}</h2>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th>{t('health.service')}</th>
            <th>{t('health.status')}</th>
            <th>{t('health.since')}</th>
            <th>{t('health.replicas')}</th>
          </tr>
        </thead>
        <tbody>
          {serviceNames.map((name) => {
            const { status, since, reason, replicas, healthy_replicas: healthy } = services[name]
            return (
              <tr key={name}>
                <td>{t(`health.service.${name}`)}</td>
                <td>
                  <Pill tone={serviceTones[status]}>{t(`health.${status}`)}</Pill> {reason !== null && t(`health.reason.${reason}`)}
                </td>
                <td>{printTime(since)}</td>
                <td>{t('health.ofCount', { part: healthy, whole: replicas })}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function Check({ line: { isOk, text } }: { readonly line: CheckLine }): ReactNode {
  const Icon = isOk === undefined ? Clock : isOk ? CircleCheck : CircleX
  return (
    <li className={styles['check']} data-state={isOk === undefined ? 'unknown' : isOk ? 'ok' : 'bad'}>
      <Icon size={16} aria-hidden />
      <span>
        {isOk !== undefined && <span className="hidden-visually">{t(isOk ? 'health.ok' : 'health.bad')} </span>}
        {text}
      </span>
    </li>
  )
}
