import type { CompiledRule } from '@tripline/engine'

/** What a match's rule is called: the part of a compiled rule that is worth sending from a worker. */
export type RuleHead = Pick<CompiledRule, 'id' | 'title' | 'level' | 'logsource' | 'path'>

/** Leaves out what a rule says and what it was compiled to. */
export function headOf({ id, title, level, logsource, path }: CompiledRule): RuleHead {
  return { id, title, level, logsource, path }
}
