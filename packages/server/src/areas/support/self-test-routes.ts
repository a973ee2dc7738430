import { selfTestSchema } from '@tripline/contract/console/self-test'
import type { SelfTestBody } from '@tripline/contract/console/self-test'
import { recordOutcome } from '../../audit/record-outcome.ts'
import type { OutcomeDeps } from '../../audit/record-outcome.ts'
import { formatDuration } from '../../http/round.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import type { SelfTestResult, SelfTester } from './self-test.ts'

/** The route that sends an event the whole way through the server. */
export function selfTestRoutes({ trail, tester }: OutcomeDeps & { readonly tester: Pick<SelfTester, 'run'> }): Route[] {
  return [{
    method: 'POST', path: '/v1/health/self-test', access: 'administer_tenant',
    summary: 'Sends an event from ingest through detection and alerts to search, and says how each stage went',
    errors: ['CONFLICT'], responses: { 200: selfTestSchema },
    handle: async (c) => {
      const action = { action: 'self_test.run', target: { type: 'server', id: 'pipeline' } }
      const test = await recordOutcome({ trail }, getPrincipal(c), action, () => tester.run(), ({ isPassed, stages }) => ({
        outcome: isPassed ? 'success' : 'failed',
        figures: Object.fromEntries(stages.map(({ stage, durationMs }) => [`${stage}_ms`, Math.round(durationMs)])),
      }))
      return respond(c, printSelfTest(test))
    },
  }]
}

function printSelfTest({ startedAt, isPassed, durationMs, stages }: SelfTestResult): SelfTestBody {
  return {
    started_at: formatTimestamp(startedAt),
    passed: isPassed,
    duration_ms: formatDuration(durationMs),
    stages: stages.map(({ stage, status, durationMs: stageMs, problem }) => {
      return { stage, status, duration_ms: formatDuration(stageMs), problem: problem ?? null }
    }),
  }
}
