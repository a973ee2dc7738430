import { useQuery } from '@tanstack/react-query'
import type { HealthDetailBody } from '@tripline/contract/console/health-detail'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { printBytes } from '../../i18n/print-bytes.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { Facts } from '../../ui/entries/facts.tsx'
import { LineChart } from '../../ui/charts/line-chart.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './health-page.module.css'

/** How often it is read again while the page is visible: as often as there is a new minute. */
const everyMs = 60_000
const megabyte = 1_000_000

/** The process and its disk, now and in the last day. */
export function Process(): ReactNode {
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['health', 'detail'],
    queryFn: ({ signal }) => callApi<HealthDetailBody>('/v1/health/detail', { signal }),
    refetchInterval: everyMs,
  })
  const process = data?.process ?? undefined
  return (
    <section className={styles['box']} aria-label={t('health.process')}>
      <h2 className={styles['title']}>{t('health.process')}</h2>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data !== undefined && process !== undefined && <Facts facts={listFacts(process, data.disk_full_in_days)} />}
      {data !== undefined && data.history.length > 1 && <History history={data.history} />}
    </section>
  )
}

function listFacts(
  { version, node_version: node, started_at: startedAt, resident_bytes: resident, heap_bytes: heap, disk }:
    NonNullable<HealthDetailBody['process']>,
  days: number | null,
): readonly (readonly [label: string, value: string])[] {
  const memory = t('health.memory.of', { resident: printBytes(resident), heap: printBytes(heap) })
  return [
    [t('health.version'), `${version} (Node ${node})`],
    [t('health.started'), printTime(startedAt)],
    [t('health.memory'), memory],
    ...(disk === null ? [] : [[t('health.disk'), describeDisk(disk, days)] as const]),
  ]
}

type Disk = NonNullable<NonNullable<HealthDetailBody['process']>['disk']>

function describeDisk({ free_bytes: free, size_bytes: size }: Disk, days: number | null): string {
  const space = t('health.disk.of', { free: printBytes(free), size: printBytes(size) })
  return days === null ? space : `${space} ${t('health.disk.full', { count: Math.floor(days) })}`
}

function History({ history }: Pick<HealthDetailBody, 'history'>): ReactNode {
  const times = history.map(({ timestamp }) => Date.parse(timestamp))
  const toMegabytes = (bytes: number | null): number | null => (bytes === null ? null : bytes / megabyte)
  return (
    <div className={styles['charts']}>
      <LineChart
        label={t('health.history.lag')}
        times={times}
        lines={[{ label: t('health.history.lag'), values: history.map((sample) => sample.loop_lag_ms) }]}
        format={(value) => t('health.ms', { ms: printNumber(value) })}
      />
      <LineChart
        label={t('health.memory')}
        times={times}
        lines={[
          { label: t('health.history.resident'), values: history.map((sample) => toMegabytes(sample.resident_bytes)) },
          { label: t('health.history.heap'), values: history.map((sample) => toMegabytes(sample.heap_bytes)) },
        ]}
        format={(value) => printBytes(value * megabyte)}
        formatTick={(value, max) => printBytes(value * megabyte, max * megabyte)}
      />
    </div>
  )
}
