import type { RuleSource } from '../src/index.ts'
import { sharedPath } from './read-shared-data.ts'
import { readTar } from './read-tar.ts'

export const sigmaRulesFile = 'sigma-rules.tar.gz'

/** The folders of active rules in the SigmaHQ repository. */
export const activeFolders = ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-compliance'] as const

let files: readonly RuleSource[] | undefined

/** Reads the rule files of SigmaHQ folders, with their paths in the repository. */
export function sigmaRules(folders: readonly string[]): RuleSource[] {
  files ??= readTar(sharedPath(sigmaRulesFile)).map(({ path, text }) => ({ path: path.replace('sigma/', ''), text }))
  return files.filter(({ path = '' }) => path.endsWith('.yml') && folders.some((folder) => path.startsWith(`${folder}/`)))
}
