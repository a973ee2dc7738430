import type { RuleSource } from '@tripline/engine'
import type { ExampleFrame } from '../src/checks/define-checks.ts'

const path = 'rules/shell_started_by_service.yml'

/** A rule without lint findings. */
const rule = `title: Shell Started By A Service
id: 5013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11
status: test
description: Services have no use for a shell, so that somebody is in there.
author: Tripline
date: 2024-03-07
logsource:
  category: process_creation
  product: windows
detection:
  selection:
    Image|endswith: '\\cmd.exe'
  condition: selection
level: medium
`

/** Rules that correlations and filters can reference. */
const referred = [
  merged(rule, 'title: Base\nid: 1013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\nname: base'),
  merged(rule, 'title: Other\nid: 2013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\nname: other\ndetection:\n  selection:\n    User: bob\n  condition: selection'),
]
const categories = [
  ['TargetObject', 'registry_set'], ['TargetFilename', 'file_event'], ['QueryName', 'dns_query'], ['SourceIp', 'network_connection'],
  ['GrantedAccess', 'process_access'],
] as const
const correlationHead = `title: Many Shells
id: 3013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11
name: this_correlation
status: test
description: One user starts shell after shell.
author: Tripline
date: 2024-03-07
level: high
`
const correlation = `type: event_count
rules:
  - base
  - other
group-by:
  - User
timespan: 5m
condition:
  gte: 10
`
const counted = merged(correlationHead, `title: Counted\nid: 4013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11\nname: counted\ncorrelation:\n${indented(correlation)}`)
const filterHead = `title: Administrators
id: 6013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11
name: this_filter
description: Administrators start shells all day.
logsource:
  category: process_creation
  product: windows
`
const filter = `rules:
  - base
selection:
  User: alice
condition: not selection
`
const whole = { correlation, filter } as const
const heads = { correlation: correlationHead, filter: filterHead } as const

/** Builds the sources of an example by adding its frame. In an example, `!name` removes an attribute. */
export function framed(frame: ExampleFrame, example: string): RuleSource[] {
  switch (frame) {
    case 'rule':
      return [{ path, text: merged(rule, example) }]
    case 'detection':
      return [{ path, text: merged(rule, `${logsourceFor(example)}detection:\n${indented(example)}`) }]
    case 'selection':
      return framed('detection', `selection:\n${indented(example)}\ncondition: selection`)
    case 'text':
      return [{ path, text: example.replace('{rule}', rule).replace('{crlf}', rule.replaceAll('\n', '\r\n')) }]
    case 'path':
      return [{ path: example, text: rule }]
    case 'correlation':
    case 'filter':
      return [{ path, text: [...referred, counted, sectioned(frame, example)].join('---\n') }]
    case 'documents':
      return example.startsWith('^correlation\n')
        ? [{ path, text: [...referred, counted, sectioned('filter', ''), sectioned('correlation', example.slice('^correlation\n'.length))].join('---\n') }]
        : documents(example.split('---\n'))
  }
}

/** Finds a logsource whose events have the fields of an example. */
function logsourceFor(example: string): string {
  const [, category] = categories.find(([field]) => example.includes(field)) ?? []
  return category === undefined ? '' : `logsource:\n  category: ${category}\n  product: windows\n`
}

/** Builds rules with unique ids; `^file` puts a rule into its own file, the others share one. */
function documents(examples: readonly string[]): RuleSource[] {
  const sources = examples.map((example, i) => {
    const [, file] = /^\^file (.*)\n/.exec(example) ?? []
    const id = `id: ${i}013cbb1-6a3a-4f4e-9a5c-6a1d1b2a0c11`
    return { path: file ?? path, text: merged(rule, `${id}\n${example.replace(/^\^file .*\n/, '')}`) }
  })
  const paths = [...new Set(sources.map((source) => source.path))]
  return paths.map((path) => ({ path, text: sources.filter((source) => source.path === path).map(({ text }) => text).join('---\n') }))
}

/** Builds a correlation or filter with the changes of an example; lines with `^` are attributes of the rule. */
function sectioned(kind: 'correlation' | 'filter', example: string): string {
  const lines = example.split('\n')
  const attributes = lines.filter((line) => line.startsWith('^')).map((line) => line.slice(1))
  const section = merged(whole[kind], lines.filter((line) => !line.startsWith('^')).join('\n'))
  return merged(heads[kind], [...attributes, `${kind}:\n${indented(section)}`].join('\n'))
}

/** Merges the entries of a map into another. */
function merged(base: string, changes: string): string {
  const blocks = new Map(blocksOf(base))
  for (const [key, block] of blocksOf(changes)) {
    if (key.startsWith('!')) blocks.delete(key.slice(1))
    else blocks.set(key, block)
  }
  return [...blocks.values()].join('')
}

/** Splits a map into its entries, each with its lines. */
function blocksOf(text: string): [key: string, block: string][] {
  const blocks = text.split(/\n(?=[^\s])/).filter((block) => block !== '')
  return blocks.map((block) => [/^[^:]*/.exec(block)![0], `${block.trimEnd()}\n`])
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
