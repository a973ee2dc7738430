import { z } from 'zod'

const stages = ['ingest', 'detection', 'alerts', 'search'] as const
export type SelfTestStage = (typeof stages)[number]

/** The way of one event through the server. */
export const selfTestSchema = z.strictObject({
  started_at: z.iso.datetime(),
  /** Whether it came through all stages. */
  passed: z.boolean(),
  duration_ms: z.number(),
  /** In order; a stage behind one that failed is skipped. */
  stages: z.array(z.strictObject({
    stage: z.enum(stages),
    status: z.enum(['passed', 'failed', 'skipped']),
    /** From the end of the stage before. */
    duration_ms: z.number(),
    /** Why it failed; null unless it did. */
    problem: z.string().nullable(),
  })),
})
export type SelfTestBody = z.infer<typeof selfTestSchema>
