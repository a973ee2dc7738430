import { describe, expect } from 'vitest'
import { compileRules } from '../src/index.ts'
import { expectSameMatches } from './compare-push-paths.ts'
import { eachSharedLine, testWithShared } from './read-shared-data.ts'
import { activeFolders, sigmaRules, sigmaRulesFile } from './sigma-rules.ts'

/*
 * Pushes a sample of the recorded events through every input path of the engine, with the rules of SigmaHQ. A sample,
 * because the reference path is slow.
 */

const files: readonly [name: string, step: number, matchCountMin: number][] = [
  ['events-windows-dev', 200, 10],
  ['events-windows-original', 20, 10],
  ['events-other-dev', 100, 1],
  ['regression-dev', 1, 10],
  ['regression-original-dev', 1, 10],
]

/** Some of the lines of a file. */
function* sampleLines(name: string, step: number): Generator<string> {
  let at = 0
  for (const line of eachSharedLine(`${name}.ndjson.gz`)) {
    if (at++ % step !== 0) continue
    // Events in collector shapes are wrapped with the name of the shape.
    const { event } = JSON.parse(line) as { readonly event?: object }
    yield event === undefined ? line : JSON.stringify(event)
  }
}

let compiled: ReturnType<typeof compileRules> | undefined

function getRuleSet(): ReturnType<typeof compileRules>['ruleSet'] {
  compiled ??= compileRules(sigmaRules(activeFolders))
  return compiled.ruleSet
}

describe('events, their bytes and the reference matcher agree', () => {
  for (const [name, step, matchCountMin] of files) {
    testWithShared([sigmaRulesFile, `${name}.ndjson.gz`], `${name}: one event in ${step}`, () => {
      expect(expectSameMatches(getRuleSet(), [...sampleLines(name, step)]).length).toBeGreaterThanOrEqual(matchCountMin)
    })
  }
})
