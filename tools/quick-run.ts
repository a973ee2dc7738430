// What `npm test -- --quick` leaves out: the slow half of the tests, and lint of files that have not changed.
import { matchesGlob } from 'node:path'

/** Tests beside the sources that a quick run leaves out all the same: they open servers, start processes or measure. */
export const slowTests: readonly string[] = [
  'packages/*/src/**/*-api.test.ts',
  'packages/cli/src/commands/**/*.test.ts',
  'packages/cli/src/data-dir/*.test.ts',
  'packages/cli/src/demo/*.test.ts',
  'packages/cli/src/measuring/*.test.ts',
  'packages/cli/src/run.test.ts',
  'packages/collector/src/{http/send-request,sources/http-poll-source}.test.ts',
  'packages/common/src/parse-json.test.ts',
  'packages/detection/src/enrichment/enrichment.test.ts',
  'packages/detection/src/tenants/*.test.ts',
  'packages/engine/src/candidates/{regex-literal,requirement}.test.ts',
  'packages/engine/src/correlation/key-table.test.ts',
  'packages/engine/src/kernel/needles.test.ts',
  'packages/engine/src/predicate/matchers/regex-length.test.ts',
  'packages/engine/src/plan/field-atoms.test.ts',
  'packages/engine/src/predicate/regex/compile-search.test.ts',
  'packages/engine/src/prepare-rules.test.ts',
  'packages/engine/src/run/{class-memo,match-cache}.test.ts',
  'packages/engine/src/suppressor.test.ts',
  'packages/model/src/access/account.test.ts',
  'packages/model/src/delivery/webhook.test.ts',
  'packages/model/src/enrichment/indicator.test.ts',
  'packages/pool/src/detection-pool.test.ts',
  'packages/server/src/access/**/*.test.ts',
  'packages/server/src/areas/{audit,failures,metrics,rules,scim,search,sessions,support,tenants}/**/*.test.ts',
  'packages/server/src/delivery/webhooks/describe-event.test.ts',
  'packages/server/src/{erasure,exposures}/*.test.ts',
  'packages/server/src/delivery/push/ticket.test.ts',
  'packages/server/src/http/{cors,http,public-url}.test.ts',
  'packages/server/src/http/middleware/compress.test.ts',
  'packages/server/src/{audit,backup}/*.test.ts',
  'packages/server/src/{expiry,retention}/*.test.ts',
  'packages/server/src/ingestion/imports/read-rows.test.ts',
  'packages/server/src/metrics/series.test.ts',
  'packages/server/src/reports/compliance-report.test.ts',
  'packages/server/src/runtime/redact.test.ts',
  'packages/sources/src/scanner/run-scanner.test.ts',
  'packages/storage/src/disk/file-system-overlay.test.ts',
  'packages/storage/src/events/block/{block-parity,encoding-turns}.test.ts',
  'packages/storage/src/events/search/prune-blocks.test.ts',
]

/** Whether a quick run has a test: one beside the sources that is not slow. */
export function isQuickTest(path: string): boolean {
  return matchesGlob(path, 'packages/*/src/**/*.test.{ts,tsx}') && !slowTests.some((pattern) => matchesGlob(path, pattern))
}

/** The run that arguments of `npm test` ask for: those for the test runner, and whether it is quick. */
export type RunPlan = { readonly isQuick: boolean; readonly args: readonly string[] }

/**
 * Reads the arguments of `npm test`.
 *
 * @throws Error for `--quick` where `CI` is set: what decides about a change runs every test.
 */
export function planRun(args: readonly string[], environment: { readonly [name: string]: string | undefined }): RunPlan {
  const isQuick = args.includes('--quick')
  const isCi = !['', 'false', '0'].includes(environment['CI'] ?? '')
  if (isQuick && isCi) throw new Error('--quick leaves out half of the tests and is refused where CI is set; run npm test without it')
  return { isQuick, args: args.filter((arg) => arg !== '--quick') }
}
