import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openCorpus } from '../open-corpus.ts'
import { probeRule } from './probe-rule.ts'

/** Writes the rules of a data folder as files, and one that only the probes match; says how many. */
export function writeRules(to: string, data: string): number {
  const { sources } = openCorpus(data)
  for (const { path = '', text } of sources) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), text)
  }
  writeFileSync(join(to, 'probe.yml'), probeRule.text)
  return sources.length
}
