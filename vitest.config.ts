import { defineConfig } from 'vitest/config'

/** One project per folder that has tests, so that `--project engine` runs one of them. */
const folders = {
  common: 'packages/common',
  console: 'packages/console/src',
  browser: 'packages/console/test',
  contract: 'packages/contract',
  engine: 'packages/engine',
  pool: 'packages/pool',
  query: 'packages/query',
  'rule-tools': 'packages/rule-tools',
  formats: 'packages/formats',
  model: 'packages/model',
  state: 'packages/state',
  detection: 'packages/detection',
  storage: 'packages/storage',
  server: 'packages/server',
  cli: 'packages/cli',
  tools: 'tools',
  bench: 'bench',
}

export default defineConfig({
  test: {
    // Some tests compile thousands of real rules or start a process; a hung one still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By default one core is left idle, which on two cores doubles the time.
    maxWorkers: '100%',
    projects: Object.entries(folders).map(([name, root]) => ({
      extends: true as const,
      test: {
        name, root, include: ['**/*.test.ts'], exclude: ['**/node_modules/**', '**/dist/**'],
        ...(name === 'browser' && { globalSetup: ['build-once.ts'] }),
      },
    })),
  },
})
