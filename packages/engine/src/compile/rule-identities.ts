import type { DiagnosticCollector } from '../diagnostics.ts'

/** The id and name of a rule, the path of its source, and where the rule begins in it. */
type RuleIdentity = { readonly id: string; readonly name: string | undefined; readonly path: string; readonly offset: number }

/** The ids and names of a rule set, each with the path of the rule that owns it: the first that claimed it. */
export class RuleIdentities {
  readonly #pathsById = new Map<string, string>()
  readonly #pathsByName = new Map<string, string>()

  /**
   * Claims the id and name of a rule, or reports the rule that already has them; returns whether the rule runs.
   * An invalid rule claims nothing.
   */
  claim({ id, name, path, offset }: RuleIdentity, collector: DiagnosticCollector): boolean {
    if (collector.verdict === 'invalid') return false
    const idOwner = claimKey(this.#pathsById, id, path)
    if (idOwner !== undefined) {
      collector.error({ code: 'DUPLICATE_ID', message: `the id ${id} belongs to ${describeRule(idOwner)}`, offset })
    }
    const nameOwner = name === undefined ? undefined : claimKey(this.#pathsByName, name, path)
    if (nameOwner !== undefined) {
      collector.error({ code: 'DUPLICATE_NAME', message: `the name '${name}' belongs to ${describeRule(nameOwner)}`, offset })
    }
    return collector.verdict === 'compiled'
  }
}

/** Claims an id or name for a path; returns the path of the current owner, if any. */
function claimKey(owners: Map<string, string>, key: string, path: string): string | undefined {
  const owner = owners.get(key)
  if (owner === undefined) owners.set(key, path)
  return owner
}

function describeRule(path: string): string {
  return path === '' ? 'another rule' : `another rule, in ${path}`
}
