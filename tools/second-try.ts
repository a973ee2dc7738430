// Tests that failed at first and passed when they were run again: a release is not held up by one, but it is named.
import type { TestModule } from 'vitest/node'

/** A line for each test that passed only at a second try; its project, file and title. */
export function printSecondTries(modules: readonly TestModule[]): readonly string[] {
  return modules.flatMap((module) => [...module.children.allTests()]
    .filter((test) => test.diagnostic()?.flaky === true)
    .map((test) => [module.project.name, module.relativeModuleId, test.fullName].filter((part) => part !== '').join(' > '))
    .map((place) => `passed at the second try: ${place}`))
}
