import { buildSite } from './open-console.ts'

/** Builds the console before any test runs: files of tests that run at once would build over each other. */
export function setup(): void {
  buildSite()
}
