import { profiles } from '@tripline/contract/public/profile'
import { expect, test } from 'vitest'
import { fuzzConsole } from './contract/fuzz-console.ts'

// A small run of `npm run trial:contract -- --profile a`: the same seed sends the same requests.
const seed = Number(process.env['TRIPLINE_SEED'] ?? 7)

test.for(profiles.map((profile) => [profile]))(
  'generated requests in profile %s are answered as documented', async ([profile = 'a']) => {
    const { failures, requestCount, codes } = await fuzzConsole({ seed, requestsPerOperation: 25, profile })
    expect(failures).toEqual([])
    expect(requestCount).toBeGreaterThan(300)
    expect([...codes]).toEqual(expect.arrayContaining(['INVALID_PARAMETER', 'NOT_FOUND', 'UNAUTHORIZED']))
  },
)
