import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { TestOrder } from './tools/test-order.ts'

// Hundreds of tests start a program from its sources. Node keeps the code that it made of them, which halves such a start.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.tools/code')

/** One project per folder that has tests, so that `--project engine` runs one of them. */
const folders = {
  collector: 'packages/collector',
  common: 'packages/common',
  compliance: 'packages/compliance',
  console: 'packages/console/src',
  browser: 'packages/console/test',
  contract: 'packages/contract',
  engine: 'packages/engine',
  pool: 'packages/pool',
  query: 'packages/query',
  'rule-tools': 'packages/rule-tools',
  formats: 'packages/formats',
  model: 'packages/model',
  sources: 'packages/sources',
  state: 'packages/state',
  detection: 'packages/detection',
  storage: 'packages/storage',
  server: 'packages/server',
  cli: 'packages/cli',
  tools: 'tools',
  bench: 'bench',
  site: 'site',
}

export default defineConfig({
  test: {
    // Some tests compile thousands of real rules or start a process, and a machine may be eight times slower than idle: what
    // waits for a condition waits long, which costs nothing where it comes true. A hung test still ends.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    // By default one core is left idle, which on two cores doubles the time.
    maxWorkers: '100%',
    sequence: { sequencer: TestOrder },
    projects: Object.entries(folders).map(([name, root]) => ({
      extends: true as const,
      test: {
        name, root, include: ['**/*.test.ts'], exclude: ['**/node_modules/**', '**/dist/**'],
        ...(name === 'browser' && { globalSetup: ['build-once.ts'] }),
      },
    })),
  },
})
