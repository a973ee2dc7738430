import type { RuleSource } from '../src/index.ts'
import { sharedPath } from './read-shared-data.ts'
import { readTar } from './read-tar.ts'

export const sigmaRulesFile = 'sigma-rules.tar.gz'

/** The folders of SigmaHQ's tree whose rules are in use. */
export const activeFolders = ['rules', 'rules-emerging-threats', 'rules-threat-hunting', 'rules-compliance'] as const

let files: readonly RuleSource[] | undefined

/** SigmaHQ's rule files below some of its folders, with their paths in its tree. */
export function sigmaRules(folders: readonly string[]): RuleSource[] {
  files ??= readTar(sharedPath(sigmaRulesFile)).map(({ path, text }) => ({ path: path.replace('sigma/', ''), text }))
  return files.filter(({ path = '' }) => path.endsWith('.yml') && folders.some((folder) => path.startsWith(`${folder}/`)))
}
