import { completeRule } from '@tripline/rule-tools'
import { draftRule, parseQuery } from '@tripline/query'
import { checkRule } from './check-rule.ts'
import type { WorkerMessage, WorkerReply, WorkerResult, WorkerTask } from './messages.ts'

/** The part of a worker's scope that is used; the DOM library does not describe it. */
type WorkerScope = {
  postMessage: (reply: WorkerReply) => void
  onmessage: ((event: { readonly data: WorkerMessage }) => void) | null
}

const scope: WorkerScope = globalThis as never

scope.onmessage = ({ data: { id, task } }) => {
  try {
    scope.postMessage({ id, result: run(task) })
  } catch (error) {
    scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
}

function run(task: WorkerTask): WorkerResult[WorkerTask['kind']] {
  switch (task.kind) {
    case 'check':
      return checkRule(task.request)
    case 'complete':
      return completeRule(task.text, task.offset, { fields: task.fields })
    case 'draft': {
      const logsource = { category: 'process_creation', product: 'windows' }
      const { yaml, unsaid = [] } = draftRule(parseQuery(task.query), { title: task.title, logsource }) as {
        readonly yaml?: string
        readonly unsaid?: readonly string[]
      }
      return yaml === undefined ? { unsaid } : { yaml }
    }
  }
}
