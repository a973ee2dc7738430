import { z } from 'zod'
import { systemHealthSchema } from './health.ts'
import { detectionMetricsSchema, pipelineMetricsSchema } from './pipeline.ts'
import { connectorSchema } from './sources/connector.ts'

const { id, type, status, enabled, health, stats } = connectorSchema.shape

/** What helpers need to know of a server: versions and figures, without events, texts of rules, names of users or secrets. */
export const supportBundleSchema = z.strictObject({
  generated_at: z.iso.datetime(),
  /** Null where the system does not tell. */
  process: z.strictObject({
    version: z.string(),
    node_version: z.string(),
    started_at: z.iso.datetime(),
    cpu_seconds: z.number(),
    resident_bytes: z.int(),
    heap_bytes: z.int(),
    open_descriptors: z.int().nullable(),
    descriptors_max: z.int().nullable(),
    /** Of the file system that holds the data directory. */
    disk: z.strictObject({ free_bytes: z.int(), size_bytes: z.int() }).nullable(),
  }).nullable(),
  health: systemHealthSchema,
  pipeline: pipelineMetricsSchema,
  detection: detectionMetricsSchema,
  /** Without names and settings. */
  connectors: z.array(z.strictObject({ id, type, status, enabled, health, stats })),
})
export type SupportBundleBody = z.infer<typeof supportBundleSchema>
