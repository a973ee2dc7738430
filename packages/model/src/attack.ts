/** The tactics and techniques of ATT&CK that a rule is about: short names, and ids such as `T1059.001`. */
export type Attack = { readonly tactics: readonly string[]; readonly techniques: readonly string[] }

type Tactic = { readonly id: string; readonly name: string; readonly title: string }

/**
 * ATT&CK's enterprise tactics in the order of its matrix.
 * Version 19 narrowed TA0005 to Stealth and moved the rest to TA0112; rules tagged before still say defense-evasion.
 */
export const tactics: readonly Tactic[] = [
  { id: 'TA0043', name: 'reconnaissance', title: 'Reconnaissance' },
  { id: 'TA0042', name: 'resource-development', title: 'Resource Development' },
  { id: 'TA0001', name: 'initial-access', title: 'Initial Access' },
  { id: 'TA0002', name: 'execution', title: 'Execution' },
  { id: 'TA0003', name: 'persistence', title: 'Persistence' },
  { id: 'TA0004', name: 'privilege-escalation', title: 'Privilege Escalation' },
  { id: 'TA0005', name: 'stealth', title: 'Stealth' },
  { id: 'TA0005', name: 'defense-evasion', title: 'Defense Evasion' },
  { id: 'TA0112', name: 'defense-impairment', title: 'Defense Impairment' },
  { id: 'TA0006', name: 'credential-access', title: 'Credential Access' },
  { id: 'TA0007', name: 'discovery', title: 'Discovery' },
  { id: 'TA0008', name: 'lateral-movement', title: 'Lateral Movement' },
  { id: 'TA0009', name: 'collection', title: 'Collection' },
  { id: 'TA0011', name: 'command-and-control', title: 'Command and Control' },
  { id: 'TA0010', name: 'exfiltration', title: 'Exfiltration' },
  { id: 'TA0040', name: 'impact', title: 'Impact' },
]

/** Parses the `attack.` tags of a rule in order; tags of groups and software are ignored. */
export function parseAttackTags(tags: readonly string[]): Attack {
  const words = tags.filter((tag) => tag.startsWith('attack.')).map((tag) => tag.slice('attack.'.length))
  return {
    tactics: [...new Set(words.flatMap((word) => findTacticNames(word)))],
    techniques: [...new Set(words.filter(isTechnique).map((word) => word.toUpperCase()))],
  }
}

/** The tactics for an id (`TA0006`), a short name with `-` or `_`, or a title; empty for anything else. */
export function findTacticNames(word: string): string[] {
  const wanted = word.toLowerCase().replaceAll(/[_ ]/g, '-')
  return tactics.filter(({ id, name }) => id.toLowerCase() === wanted || name === wanted).map(({ name }) => name)
}

/** Whether a text has the form of a technique id: `T1059`, `t1059.001`. */
export function isTechnique(word: string): boolean {
  return /^t\d{4}(\.\d{3})?$/i.test(word)
}

/** Whether a rule has a tactic, in any spelling of `findTacticNames`. */
export function hasTactic(attack: Attack, word: string): boolean {
  return findTacticNames(word).some((name) => attack.tactics.includes(name))
}

/** Whether a rule has a technique; a technique includes its sub-techniques. */
export function hasTechnique(attack: Attack, word: string): boolean {
  const id = word.toUpperCase()
  return attack.techniques.some((technique) => technique === id || technique.startsWith(`${id}.`))
}
