import { completeRule } from '@tripline/rule-tools'
import { draftRule, parseQuery } from '@tripline/query'
import type { Query, TermValue } from '@tripline/query'
import { checkRule } from './check-rule.ts'
import type { DraftedValue, WorkerMessage, WorkerReply, WorkerResult, WorkerTask } from './messages.ts'

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
      const { finds, head } = task.request
      const drafted = draftRule(typeof finds === 'string' ? parseQuery(finds) : toQuery(finds), head)
      return 'yaml' in drafted ? { yaml: drafted.yaml } : { unsaid: drafted.unsaid }
    }
  }
}

const nowhere = { start: 0, end: 0 }

/** The query for events with all of some values; as a tree, since a value may be longer than a query. */
function toQuery(values: readonly DraftedValue[]): Query {
  const terms = values.map(({ field, value }): Query => {
    const literal: TermValue = typeof value === 'number'
      ? { kind: 'number', text: String(value) }
      : { kind: 'text', pattern: value === '' ? [] : [{ kind: 'text', text: String(value) }] }
    return { kind: 'term', field, value: literal, span: nowhere }
  })
  const [only] = terms
  if (only === undefined) return { kind: 'all', span: nowhere }
  return terms.length === 1 ? only : { kind: 'and', of: terms, span: nowhere }
}
