import { z } from 'zod'

/** An object of JSON whose fields nobody names before. */
export const jsonObject = z.custom<{ readonly [field: string]: unknown }>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)
