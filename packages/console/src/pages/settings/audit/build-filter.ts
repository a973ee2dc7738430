import type { AuditEntryBody } from '@tripline/contract/console/audit'
import { auditActions } from './actions.ts'
import { printAction } from './print-action.ts'

export type Person = { readonly id: string; readonly email: string; readonly name: string }

type Search = {
  readonly text: string
  readonly outcome: AuditEntryBody['outcome'] | undefined
  /** The users whose addresses the table shows; the server keeps those of entries encrypted, and compares ids. */
  readonly people: readonly Person[]
}

/** Users of one filter: more of them match a text that is too short to tell them apart, and the filter has an end. */
const usersMax = 50

/**
 * The filter of the server for what a person reads in the table and types: the words of actions, the address of a user, or an id.
 * Undefined for all entries.
 */
export function buildAuditFilter({ text, outcome, people }: Search): string | undefined {
  const parts = [
    ...(text === '' ? [] : [{ or: findText(text, people) }]),
    ...(outcome === undefined ? [] : [{ field: 'outcome', op: 'eq', value: outcome }]),
  ]
  return parts.length === 0 ? undefined : JSON.stringify({ and: parts })
}

function findText(text: string, people: readonly Person[]): readonly object[] {
  const wanted = text.toLowerCase()
  const has = (shown: string): boolean => shown.toLowerCase().includes(wanted)
  const actions = auditActions.filter((action) => has(printAction(action)))
  const users = people.filter(({ email, name }) => has(email) || has(name)).map(({ id }) => id)
  return [
    ...['action', 'actor', 'target_id'].map((field) => ({ field, op: 'contains', value: text })),
    ...(actions.length === 0 ? [] : [{ field: 'action', op: 'in', value: actions }]),
    ...(users.length === 0 ? [] : ['actor', 'target_id'].map((field) => ({ field, op: 'in', value: users.slice(0, usersMax) }))),
  ]
}
