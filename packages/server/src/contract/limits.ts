import { z } from 'zod'

/** Every limit by its place and name; units stand last in a name (C9). */
export const limitsBodySchema = z.strictObject({ limits: z.record(z.string(), z.record(z.string(), z.int())) })
export type LimitsBody = z.infer<typeof limitsBodySchema>
