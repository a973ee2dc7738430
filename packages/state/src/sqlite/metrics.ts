import { LatencyHistogram } from '@tripline/common/latency-histogram'
import type { HistogramData } from '@tripline/common/latency-histogram'
import { getBucketStart, counters, resolutions } from '@tripline/model/metric'
import type { CounterName, MetricPoint, Resolution } from '@tripline/model/metric'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { resolutionKeptMs } from '../ports/metric-store.ts'
import type { MetricStore, MetricTotal, SeriesBucket, SeriesQuery } from '../ports/metric-store.ts'
import { inTransaction } from './query/database.ts'
import type { MetricPointRow, Tables } from './rows/tables.ts'

const resolutionNames = ['minute', 'fiveMinutes', 'hour'] as const satisfies readonly Resolution[]

/** Stores metrics: every point goes into a bucket of each resolution, so none is derived from others. */
export function metricStore(db: Kysely<Tables>): MetricStore {
  const pointsOf = (tenant: string, { name, resolution, from, to, label }: SeriesQuery) => {
    const ofSeries = db.selectFrom('metricPoints').where('tenantId', '=', tenant).where('resolution', '=', resolution)
    const inRange = ofSeries.where('name', '=', name).where('startsAt', '>=', from).where('startsAt', '<', to)
    return label === undefined ? inRange : inRange.where('label', '=', label)
  }
  return {
    record: (tenant, points) =>
      inTransaction(db, async (db) => {
        for (const point of points) {
          for (const resolution of resolutionNames) await addPoint(db, tenant, resolution, point)
          if (point.kind === 'count' && counters[point.name].hasTotal) await addTotal(db, tenant, point)
        }
      }),
    async totals(tenant) {
      const ofTenant = db.selectFrom('metricTotals').selectAll().where('tenantId', '=', tenant)
      const rows = await ofTenant.orderBy('name').orderBy('label').execute()
      return rows.flatMap(({ name, label, value }): MetricTotal[] => (isCounter(name) ? [{ name, label, value }] : []))
    },
    async series(tenant, query) {
      const columns = pointsOf(tenant, query).select(['startsAt', 'label', 'value', 'histogram'])
      const rows = await columns.orderBy('startsAt').orderBy('label').execute()
      return rows.map(toBucket)
    },
    async sums(tenant, query) {
      const sums = pointsOf(tenant, query).select(['label', ({ fn }) => fn.sum<number>('value').as('sum')]).groupBy('label')
      return await sums.orderBy('sum', 'desc').orderBy('label').limit(query.limit).execute()
    },
    removeOld: (tenant, at) =>
      inTransaction(db, async (db) => {
        let count = 0
        for (const resolution of resolutionNames) {
          const removing = db.deleteFrom('metricPoints').where('tenantId', '=', tenant).where('resolution', '=', resolution)
          // A bucket stays until all of it is too old.
          const before = at - resolutionKeptMs[resolution] - resolutions[resolution]
          count += Number((await removing.where('startsAt', '<=', before).executeTakeFirst()).numDeletedRows)
        }
        return count
      }),
  }
}

/** Writes something and waits until it is durable. @throws if nothing can be written. */
export async function checkWritable(db: Kysely<Tables>): Promise<void> {
  const checking = db.insertInto('writeChecks').values({ id: 1, count: 1 })
  const count = sql<number>`write_checks.count + 1`
  await checking.onConflict((conflict) => conflict.column('id').doUpdateSet({ count })).execute()
}

const keyColumns = ['tenantId', 'resolution', 'name', 'startsAt', 'label'] as const

const sumOfBoth = sql<number>`metric_points.value + excluded.value`
const higherOfBoth = sql<number>`case when metric_points.value > excluded.value then metric_points.value else excluded.value end`

async function addPoint(db: Kysely<Tables>, tenantId: string, resolution: Resolution, point: MetricPoint): Promise<void> {
  const startsAt = getBucketStart(point.startsAt, resolutions[resolution])
  const key = { tenantId, resolution, name: point.name, startsAt, label: point.label }
  if (point.kind === 'histogram') return await addHistogram(db, key, point.histogram)
  const inserting = db.insertInto('metricPoints').values({ ...key, value: point.value, histogram: null })
  const value = point.kind === 'count' ? sumOfBoth : higherOfBoth
  await inserting.onConflict((conflict) => conflict.columns(keyColumns).doUpdateSet({ value })).execute()
}

type PointKey = Pick<MetricPointRow, (typeof keyColumns)[number]>

/** Histograms are merged here; the transaction excludes concurrent merges. */
async function addHistogram(db: Kysely<Tables>, key: PointKey, data: HistogramData): Promise<void> {
  const { tenantId, resolution, name, startsAt, label } = key
  const ofTenant = db.selectFrom('metricPoints').select('histogram').where('tenantId', '=', tenantId)
  const ofSeries = ofTenant.where('resolution', '=', resolution).where('name', '=', name)
  const ofBucket = ofSeries.where('startsAt', '=', startsAt).where('label', '=', label)
  const known = await ofBucket.executeTakeFirst()
  const merged = LatencyHistogram.of(data)
  const before = known && parseHistogram(known.histogram)
  if (before !== undefined) merged.merge(LatencyHistogram.of(before))
  const columns = { value: merged.count, histogram: printHistogram(merged.data()) }
  const inserting = db.insertInto('metricPoints').values({ ...key, ...columns })
  await inserting.onConflict((conflict) => conflict.columns(keyColumns).doUpdateSet(columns)).execute()
}

async function addTotal(db: Kysely<Tables>, tenantId: string, { name, label, value }: MetricTotal): Promise<void> {
  const inserting = db.insertInto('metricTotals').values({ tenantId, name, label, value })
  const sum = sql<number>`metric_totals.value + excluded.value`
  await inserting.onConflict((conflict) => conflict.columns(['tenantId', 'name', 'label']).doUpdateSet({ value: sum })).execute()
}

function toBucket({ startsAt, label, value, histogram }: Omit<MetricPointRow, 'tenantId' | 'resolution' | 'name'>): SeriesBucket {
  return { startsAt, label, value, histogram: parseHistogram(histogram) }
}

/** Prints one list of numbers: the sum, then each bucket with its count. */
function printHistogram({ sumMicros, counts }: HistogramData): string {
  return JSON.stringify([sumMicros, ...counts.flat()])
}

function parseHistogram(text: string | null): HistogramData | undefined {
  if (text === null) return undefined
  const [sumMicros = 0, ...rest] = JSON.parse(text) as number[]
  const counts = Array.from({ length: rest.length / 2 }, (_, index) => [rest[2 * index]!, rest[2 * index + 1]!] as const)
  return { sumMicros, counts }
}

/** Counters of a newer program version are left alone. */
function isCounter(name: string): name is CounterName {
  return Object.hasOwn(counters, name)
}
