import { z } from 'zod'

const serviceSchema = z.strictObject({
  status: z.enum(['up', 'degraded', 'down']),
  replicas: z.int(),
  healthy_replicas: z.int(),
  /** Since when it has this status, as far as this process knows. */
  since: z.iso.datetime(),
  /** Why it is not up: its queue stands still for 5 seconds, for 10, or nothing can be written. */
  reason: z.enum(['queue_slow', 'queue_stalled', 'not_writable']).nullable(),
})

/** Health of the services, and the underlying checks. */
export const systemHealthSchema = z.strictObject({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  timestamp: z.iso.datetime(),
  services: z.strictObject({
    'connector-service': serviceSchema,
    'normalizer-service': serviceSchema,
    'detection-service': serviceSchema,
    'enrichment-service': serviceSchema,
  }),
  checks: z.strictObject({
    /** Event loop lag in the last ten seconds. */
    loop_lag_ms: z.number(),
    /** False while that lag is 250 ms or more: the process is slow, whatever its services do. */
    loop_on_time: z.boolean(),
    queues_moving: z.boolean(),
    store_writable: z.boolean(),
    /** How long the last write to the state database that was tried for this took; null before the first. */
    store_write_ms: z.number().nullable(),
    /** How long queues and events took to be on the disk last, the longest of them; null before the first. */
    queue_sync_ms: z.number().nullable(),
    /**
     * The disk of the data directory: `low` below 15 percent or 60 GiB free, `nearly_full` below 10 or 40 GiB, `full` below 5 or
     * 20 GiB, where no event is accepted. Null where the system does not report it.
     */
    disk: z.strictObject({ state: z.enum(['ok', 'low', 'nearly_full', 'full']), free_bytes: z.int(), size_bytes: z.int() }).nullable(),
    /** False while nothing is removed by age because the clock is not plausible. */
    clock_plausible: z.boolean(),
    /** Accepted events of the tenant that were lost to corruption. */
    events_lost: z.int(),
    /** Accepted events of the tenant that searches do not find yet. */
    events_not_searchable: z.int(),
    /** Stored events of the tenant whose bytes are corrupted beyond repair. */
    stored_events_lost: z.int(),
    /** Rows of the state database that are corrupted, and therefore not used, as far as reads met them since the start. */
    rows_damaged: z.int(),
    /** Webhooks of the tenant with waiting deliveries whose last attempt failed. */
    webhooks_failing: z.int(),
    /** API keys of the tenant, certificates and keys of the trusted issuer that expire within 14 days or have expired, soonest first. */
    expiring: z.array(z.strictObject({
      kind: z.enum(['api_key', 'issuer_key', 'tls_certificate', 'tls_client_ca']),
      name: z.string(),
      expires_at: z.iso.datetime(),
    })),
    /** False while the last verification of the data directory found damage; null before the first. */
    data_intact: z.boolean().nullable(),
    /** When it finished. */
    data_verified_at: z.iso.datetime().nullable(),
  }),
})
export type SystemHealthBody = z.infer<typeof systemHealthSchema>
