// The order in which test files run, over all projects. Left to itself, the runner takes one project after the other: all files
// with a browser, which mostly wait, then beside each other those that keep a core busy, and at the end a long one alone.
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Files that take more than a minute, the longest first, and before all others: a run would end with one of them alone. */
export const longFiles: readonly string[] = [
  'tools/release/packages.test.ts',
  'packages/state/test/state-in-a-file.test.ts',
  'packages/server/test/serve.test.ts',
  'packages/server/test/bombs.test.ts',
  'packages/server/test/contract-fuzz.test.ts',
  'tools/readme.test.ts',
  'packages/engine/test/hostile.test.ts',
  'packages/cli/src/commands/bench.test.ts',
  'packages/state/test/state-in-memory.test.ts',
  'site/site.test.ts',
  // Needs what the first one packs, and would wait for it.
  'tools/release/program.test.ts',
]

/** The folder of the tests in a browser. */
const browserFolder = 'packages/console/test/'

/** Puts long files first, and those in a browser one by one between all others. */
export function orderFiles<File extends { readonly moduleId: string }>(files: readonly File[]): readonly File[] {
  const rankOf = ({ moduleId }: File): number => longFiles.findIndex((path) => moduleId.endsWith(`/${path}`))
  const long = files.filter((file) => rankOf(file) >= 0).sort((a, b) => rankOf(a) - rankOf(b))
  const isInBrowser = ({ moduleId }: File): boolean => moduleId.includes(`/${browserFolder}`)
  const others = files.filter((file) => rankOf(file) < 0)
  const inBrowser = others.filter(isInBrowser)
  const rest = [...long, ...others.filter((file) => !isInBrowser(file))]
  const step = Math.max(1, Math.floor(rest.length / (inBrowser.length + 1)))
  const mixed = rest.flatMap((file, at) => [file, ...(at % step === 0 ? inBrowser.slice(at / step, at / step + 1) : [])])
  return [...mixed, ...inBrowser.slice(Math.ceil(rest.length / step))]
}

/** The runner's own order, changed by `orderFiles`. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...orderFiles(await super.sort(files))]
  }
}
