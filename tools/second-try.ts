// A file of browser tests that failed is run once more when all others have ended: a busy machine may lose a key press, and what its
// tests share begins anew. A release is not held up by one such file, but it is named.
import type { TestModule, Vitest } from 'vitest/node'

type SecondTry = {
  /** All files as they ended. */
  readonly modules: readonly TestModule[]
  /** Errors outside of tests, of both tries. */
  readonly errors: number
  /** A line for each of these errors, and for each test that passed only at the second try: its project, file and title. */
  readonly lines: readonly string[]
}

/** Runs the failed files of a project again, each with all its tests. */
export async function runFailedAgain(vitest: Vitest, project: string): Promise<SecondTry> {
  const first = vitest.state.getTestModules()
  const failed = first.filter((module) => module.project.name === project && !module.ok())
  const errors = vitest.state.getUnhandledErrors().map(printError)
  if (failed.length === 0) return { modules: first, errors: errors.length, lines: errors }
  const places = new Set(failed.flatMap((module) => listFailures(module)))
  const specifications = failed.map((module) => module.toTestSpecification())
  const ids = new Set(failed.map(({ moduleId }) => moduleId))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  errors.push(...unhandledErrors.map(printError))
  // A run tells of all files that were ever run.
  const second = testModules.filter(({ moduleId }) => ids.has(moduleId))
  const stillFailed = new Set(second.flatMap((module) => (module.ok() ? [] : listFailures(module))))
  const passed = [...places].filter((place) => !stillFailed.has(place)).map((place) => `passed at the second try: ${place}`)
  const kept = first.filter((module) => !failed.includes(module))
  return { modules: [...kept, ...second], errors: errors.length, lines: [...errors, ...passed] }
}

function printError(error: unknown): string {
  const message = error instanceof Object && 'message' in error ? String(error.message) : String(error)
  const [firstLine] = message.split('\n')
  return `an error outside of tests: ${firstLine}`
}

/** The failed tests of a file; the file itself where it failed outside of them, as in a hook. */
function listFailures(module: TestModule): readonly string[] {
  const titles = [...module.children.allTests()].filter((test) => test.result().state === 'failed').map(({ fullName }) => [fullName])
  return (titles.length === 0 ? [[]] : titles)
    .map((title) => [module.project.name, module.relativeModuleId, ...title].filter((part) => part !== '').join(' > '))
}
