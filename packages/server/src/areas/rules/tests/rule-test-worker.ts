import { parentPort } from 'node:worker_threads'
import { RuleSet, RuleView } from '@tripline/engine'
import type { CompiledRule, DetectionRule } from '@tripline/engine'
import { AppError } from '@tripline/contract/app-error'
import { limits } from '../../../limits.ts'
import { checkDefinition } from './check-definition.ts'
import type { RuleTestMessage, RuleTestReply } from './rule-test-message.ts'
import { runRuleTest } from './run-rule-test.ts'

// Entry point of the thread that tests and checks rules: answers each message with its outcome. An error that is not an
// `AppError` ends the thread, and the main thread reports it.

async function run({ task, rules, correlations, references }: RuleTestMessage): Promise<RuleTestReply> {
  const known = new Set([...rules, ...correlations].map(({ id }) => id))
  const stubs = references.filter(({ id }) => !known.has(id)).map(createStub)
  const stubIds = new Set(stubs.map(({ id }) => id))
  const among = new RuleSet([...rules, ...stubs], { correlations })
  const isStub = (id: string): boolean => stubIds.has(id)
  const { compileWorkMax: workMax } = limits.rules
  try {
    if (!('events' in task)) return await checkDefinition(task, { among, isStub })
    return runRuleTest(task, { among, isStub, workMax, comparisonsMax: limits.ruleTest.comparisonsMax })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { error: { code: error.code, message: error.message, details: error.details } }
  }
}

/** A rule of which only id and name are known; a task that needs it whole asks for it. */
function createStub({ id, name }: RuleTestMessage['references'][number]): CompiledRule {
  return new StubRule({ id, name, title: '', level: undefined, logsource: {}, path: '', predicate: { kind: 'constant', value: false } })
}

class StubRule extends RuleView {
  get rule(): DetectionRule {
    throw new Error(`the attributes of the rule ${this.id} were not sent`)
  }
}

parentPort?.on('message', (message: RuleTestMessage) => {
  void run(message).then((reply) => parentPort?.postMessage(reply))
})
parentPort?.postMessage('ready')
