import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeZodIssue } from './issue-message.ts'

test.for<[schema: z.ZodType, value: unknown, sentence: string]>([
  [z.enum(['open', 'resolved']), 'closed', 'must be one of open, resolved'],
  [z.literal('new'), 'old', 'must be new'],
  [z.string(), undefined, 'is missing'],
  [z.string(), 1, 'must be a string'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'true', 'must be true or false'],
  [z.array(z.string()), 'a', 'must be an array'],
  [z.strictObject({}), [], 'must be an object'],
  [z.date(), 'a', 'must be of type date'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(2), 'a', 'must have at least 2 characters'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.array(z.int()).max(1), [1, 2], 'must have at most 1 entries'],
  [z.int().min(0), -1, 'must be at least 0'],
  [z.int().max(100), 101, 'must be at most 100'],
  [z.string('must be a name'), 1, 'must be a name'],
  [z.union([z.literal('off'), z.strictObject({ window: z.string() })]), { level: 1 }, 'must be off, or window: is missing'],
  [z.union([z.literal('off'), z.strictObject({ window: z.string() })]), 'on', 'must be off, or must be an object'],
  [z.union([z.string(), z.null()]), 1, 'must be a string, or must be null'],
  [z.union([z.string(), z.null()], 'must be a name or null'), 1, 'must be a name or null'],
  [z.email(), 'a', 'Invalid email address'],
])('%j: %j %s', ([schema, value, sentence]) => {
  expect(schema.safeParse(value, { error: describeZodIssue }).error?.issues[0]?.message).toBe(sentence)
})
